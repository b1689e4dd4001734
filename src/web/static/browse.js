// Sends what stands in the form to change an object, and leaves empty filters out of addresses.
document.querySelector('form.filters')?.addEventListener('submit', (event) => {
  for (const input of event.target.querySelectorAll('input')) if (!input.value) input.disabled = true
})
document.getElementById('write')?.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { method, body } = event.target.elements
  const token = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? ''
  const shown = document.getElementById('answer')
  shown.hidden = false
  try {
    const answer = await fetch(location.pathname, {
      method: method.value,
      headers: { 'content-type': 'application/json', accept: 'application/json', 'x-csrftoken': token },
      body: method.value === 'DELETE' ? undefined : body.value,
    })
    shown.textContent = `${answer.status} ${answer.statusText}\n${await answer.text()}`
  } catch (error) {
    shown.textContent = `The server did not answer: ${error.message}`
  }
})
