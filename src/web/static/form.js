// What forms do in a browser beyond being filled and sent: fields that have no use are not shown, what is referred to
// can be made beside, and nobody leaves by mistake what is not saved. Each form works without it.
;(() => {
  const controlsIn = (root) => root.querySelectorAll('input, select, textarea')
  const isFilled = (control) => control.value !== '' && control.type !== 'hidden'
  const isFilledIn = (field) => [...controlsIn(field)].some(isFilled)
  const isWrong = (field) => field.classList.contains('wrong')

  /**
   * Whether another field has one of the values that `mode=tagged access` names; `*` stands for any text, and nothing
   * for none.
   */
  function isMet(form, when) {
    const [name, values] = when.split('=')
    const value = form.elements[name]?.value ?? ''
    const forms = values
      .split(' ')
      .map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, (c) => (c === '*' ? '.+' : `\\${c}`)))
    return forms.some((each) => new RegExp(`^${each}$`).test(value))
  }

  /** Where another field has a value, this one gets its own by it: what stands in it does not count. */
  const isGiven = (field) => field.dataset.when.endsWith('=')

  function show(field, isShown) {
    field.hidden = !isShown
    for (const control of controlsIn(field)) {
      control.disabled = !isShown
      if (isShown) control.tomselect?.enable()
      else control.tomselect?.disable()
    }
    const group = field.closest('fieldset')
    group.hidden = [...group.querySelectorAll('.field')].every((each) => each.hidden)
  }

  function ready(root) {
    for (const form of root.querySelectorAll('form.form'))
      for (const field of form.querySelectorAll('[data-when]'))
        show(field, isMet(form, field.dataset.when) || isWrong(field) || (!isGiven(field) && isFilledIn(field)))
  }

  const changed = () => document.querySelector('#main form.form[data-changed]')

  /** Ids of a form that is shown over another. */
  const apart = (text) =>
    text
      .replace(/ (id|for|aria-describedby|data-kind|data-color|data-new)="([^"]*)"/g, (_, name, ids) => {
        const own = ids.split(' ').map((id) => `over-${id}`)
        return ` ${name}="${own.join(' ')}"`
      })
      .replaceAll(' href="#f-', ' href="#over-f-')

  function fill(dialog, text, close) {
    const page = new DOMParser().parseFromString(apart(text), 'text/html')
    const form = page.querySelector('form.form')
    if (!form) return false
    const title = document.createElement('h2')
    title.id = 'dialog-title'
    title.textContent = page.querySelector('h1')?.textContent ?? ''
    dialog.replaceChildren(title, ...page.querySelectorAll('#over-main > .message.bad'), form)
    form.querySelector('[name=_again]')?.remove()
    const leave = form.querySelector('[data-leave]')
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Cancel'
    button.addEventListener('click', close)
    leave?.replaceWith(button)
    document.dispatchEvent(new CustomEvent('htmx:load', { detail: { elt: dialog } }))
    ready(dialog)
    return true
  }

  /** Chooses an object that was just made. */
  function choose(select, { id, display }) {
    if (select.tomselect) {
      select.tomselect.addOption({ value: String(id), text: display, beside: '' })
      select.tomselect.addItem(String(id))
    } else select.add(new Option(display, String(id), true, true))
    select.dispatchEvent(new Event('change', { bubbles: true }))
  }

  /** The form of a new object over this one; what it makes is chosen in the picker beside the link. */
  async function openNew(link) {
    const select = document.getElementById(link.dataset.new)
    const query = new URLSearchParams()
    for (const name of Object.values(JSON.parse(select.dataset.narrow || '{}')).flat()) {
      const value = !/^[=$]/.test(name) && select.form.elements[name]?.value
      if (value) query.set(name, value)
    }
    const answer = await fetch(`${link.href}?${query}`, { headers: { accept: 'text/html' } }).catch(() => undefined)
    const dialog = document.createElement('dialog')
    dialog.className = 'over'
    dialog.setAttribute('aria-labelledby', 'dialog-title')
    document.body.append(dialog)
    if (!answer?.ok || !fill(dialog, await answer.text(), () => dialog.close())) {
      dialog.remove()
      return void window.open(link.href)
    }
    dialog.addEventListener('close', () => {
      dialog.remove()
      ;(select.tomselect ?? link).focus()
    })
    dialog.addEventListener('submit', async (event) => {
      event.preventDefault()
      const body = new FormData(event.target)
      const asked = { method: 'POST', body, headers: { accept: 'text/html' } }
      const made = await fetch(`${link.href}?_pick=1`, asked).catch(() => undefined)
      if (!made) return window.cabinetAway(event.target)
      if (made.status === 201) {
        choose(select, await made.json())
        dialog.close()
      } else if (fill(dialog, await made.text(), () => dialog.close())) window.cabinetLead(dialog)
    })
    dialog.showModal()
    dialog.querySelector('form input:not([type=hidden]), form select')?.focus()
  }

  ready(document)
  if (window.cabinetForms) return // listens already
  window.cabinetForms = true

  document.addEventListener('change', ({ target }) => {
    const form = target.form
    if (!form?.matches('form.form')) return
    form.dataset.changed = '1'
    for (const field of form.querySelectorAll('[data-when]'))
      if (field.dataset.when.split('=')[0] === target.name) show(field, isMet(form, field.dataset.when))
  })
  document.addEventListener('input', ({ target }) => {
    if (target.form?.matches('form.form')) target.form.dataset.changed = '1'
  })
  document.addEventListener('submit', ({ target }) => {
    delete target.dataset.changed
  })
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[data-new]')
    if (!link || link.closest('dialog') || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void openNew(link)
  })
  addEventListener('beforeunload', (event) => {
    if (changed()) event.preventDefault()
  })
  document.addEventListener('htmx:beforeRequest', (event) => {
    const form = changed()
    const { elt, boosted } = event.detail
    if (!form || !boosted || elt === form || elt.hasAttribute('data-leave')) return
    if (!confirm('What you changed here is not saved. Leave it?')) event.preventDefault()
  })
})()
