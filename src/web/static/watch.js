// Says on an open page that what it shows was changed meanwhile. It listens while the page is seen, and stops after
// many changes.
;(() => {
  const Most = 50
  let source
  let place
  let seen

  const close = () => {
    source?.close()
    source = undefined
  }

  /** Names of the fields that a change tells of. */
  const fieldsOf = ({ prechange_data: before, postchange_data: after }) =>
    before && after
      ? Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      : []

  function tell(change) {
    seen.push(change)
    const names = [...new Set(seen.map(({ user_name: name }) => name))]
    const who = names.length > 3 ? `${names.slice(0, 3).join(', ')} and others` : names.join(', ')
    const { kind } = place.dataset
    const fields = [...new Set(seen.flatMap(fieldsOf))]
    const about = fields.length && fields.length < 8 ? `: ${fields.join(', ').replaceAll('_', ' ')}` : ''
    const isGone = seen.at(-1).action.value === 'delete'
    const text =
      kind === 'list'
        ? `${seen.length >= Most ? 'Many changes' : seen.length === 1 ? 'A change' : `${seen.length} changes`} by ${who} since this page was shown.`
        : isGone
          ? `Deleted by ${who} just now.`
          : `Changed by ${who} just now${about}.${kind === 'form' ? ' Nothing of it is overwritten before you have seen it.' : ''}`
    const link = document.createElement('a')
    link.className = 'button'
    link.href = kind === 'form' ? place.dataset.page : location.href
    if (kind === 'form') link.target = '_blank'
    link.textContent = kind === 'form' ? 'See it' : 'Show'
    place.replaceChildren(document.createTextNode(`${text} `), link)
    place.classList.add('told')
    if (seen.length >= Most) close()
  }

  function open() {
    const found = document.querySelector('#main [data-watch]')
    if (found !== place) {
      close()
      place = found
      seen = []
    }
    if (!place || document.hidden || seen.length >= Most) return close()
    if (source) return
    const { watch, after } = place.dataset
    source = new EventSource(`${watch}&last_event_id=${after}`)
    source.addEventListener('change', (event) => {
      place.dataset.after = event.lastEventId
      tell(JSON.parse(event.data))
    })
  }

  document.addEventListener('visibilitychange', open)
  document.addEventListener('htmx:afterSettle', open)
  addEventListener('pagehide', close)
  addEventListener('pageshow', open)

  // What a form that is sent changes itself is no news; what it would overwrite, the server shows before it does.
  document.addEventListener('submit', ({ target }) => target.method === 'post' && close(), true)
  open()
})()
