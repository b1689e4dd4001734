// What becomes of an answer that is no page to put in the place of the one that is seen: nothing typed is lost.
// An answer that refuses a form leads to what is wrong with it.
;(() => {
  const base = document.querySelector('meta[name=base]').content
  const Unknown = 'What you typed is still here; look whether it was done before you try again.'

  /**
   * Only pages of ours become part of a page: what else an address answers (data, files, what a template made) may be
   * of anybody's making, and orders to htmx in it would be followed as if they were ours.
   */
  document.addEventListener('htmx:beforeOnLoad', (event) => {
    const { xhr, boosted, requestConfig } = event.detail
    const said = (name) => xhr.getResponseHeader(name) ?? ''
    if (/^text\/html\b/i.test(said('content-type')) && !/\bsandbox\b/.test(said('content-security-policy'))) return
    event.preventDefault()
    if (boosted && requestConfig.verb === 'get') return location.assign(xhr.responseURL)
    complain(requestConfig.elt, xhr.responseText.slice(0, 500))
  })

  /**
   * Says above the page, or above a form over it, why nothing came of a request; a form that sent it has unsaved changes
   * again.
   */
  function complain(sender, ...words) {
    const dialog = sender?.closest('dialog')
    const place = dialog ?? document.getElementById('main')
    const line = document.createElement('p')
    line.className = 'message bad complaint'
    line.setAttribute('role', 'alert')
    line.append(...words)
    place?.querySelector(':scope > .complaint')?.remove()
    if (dialog) sender.before(line)
    else place?.prepend(line)
    line.scrollIntoView({ block: 'nearest' })
    if (!dialog && sender?.matches('form.form')) sender.dataset.changed = '1'
  }
  const away = (sender) => complain(sender, `The server cannot be reached. ${Unknown}`)
  window.cabinetAway = away // for scripts that ask by themselves

  /** Puts the focus on what an answer to a form says is wrong: above the form, or the first field that is. */
  function lead(root) {
    const wrong = root.querySelector('.message[role=alert]') ?? root.querySelector('[aria-invalid=true]')
    if (wrong?.matches('.message')) wrong.tabIndex = -1
    wrong?.focus()
  }
  window.cabinetLead = lead // for forms that are shown over others

  // Once htmx has scrolled to the top of the page.
  document.addEventListener('htmx:afterSettle', ({ detail: { boosted, requestConfig } }) => {
    if (boosted && requestConfig.verb === 'post') setTimeout(() => lead(document.getElementById('main')), 0)
  })

  // A link to a field leads into it, whatever it is drawn as.
  document.addEventListener('click', (event) => {
    const link = event.target.closest('.message a[href^="#"]')
    const aim = link && document.getElementById(link.getAttribute('href').slice(1))
    if (!aim) return
    event.preventDefault()
    const control = aim.matches('input, select, textarea') ? aim : aim.querySelector('input, select, textarea')
    aim.closest('.field')?.scrollIntoView({ block: 'center' })
    ;(control?.tomselect ?? control ?? aim).focus()
  })

  const assets = [...document.head.querySelectorAll('script[src], link[rel=stylesheet]')].map(
    (each) => new URL(each.src || each.href).pathname,
  )

  /** What kind of page came: of the way in, of a refusal, of another version, foreign, or one of ours. */
  function kindOf({ xhr: { responseText: text }, boosted, requestConfig }) {
    if (!text.includes('<meta name="base"')) return 'foreign' // of a proxy that does not reach the server
    if (text.includes('<body class="plain" data-login>')) return 'login'
    if (text.includes('<body class="plain">')) return 'refusal'
    const isRead = boosted && requestConfig.verb === 'get'
    return isRead && assets.some((path) => !text.includes(path)) ? 'other' : 'own'
  }

  /**
   * A form keeps what was typed, and a list what it shows, where the answer is no page to put in their place. What a
   * link leads to comes as a whole then, with scripts and styles of its own.
   */
  document.addEventListener('htmx:beforeSwap', (event) => {
    const { xhr, boosted, requestConfig, pathInfo } = event.detail
    const kind = kindOf(event.detail)
    if (kind === 'own') return
    event.preventDefault()
    if (requestConfig.verb === 'get' && boosted) return location.assign(pathInfo.finalRequestPath)
    if (requestConfig.verb === 'get' && kind === 'login') return location.reload()
    if (kind === 'foreign') return complain(requestConfig.elt, `No answer of the server (${xhr.status}). ${Unknown}`)
    if (kind === 'refusal') {
      const page = new DOMParser().parseFromString(xhr.responseText, 'text/html')
      return complain(requestConfig.elt, page.querySelector('#main .message')?.textContent ?? page.title)
    }
    const link = document.createElement('a')
    Object.assign(link, { href: `${base}/login/`, target: '_blank', rel: 'noopener', textContent: 'Log in' })
    complain(
      requestConfig.elt,
      'You are logged out; what you typed is still here. ',
      link,
      ' in another tab, then try again.',
    )
  })
  for (const name of ['htmx:sendError', 'htmx:timeout'])
    document.addEventListener(name, ({ detail: { requestConfig } }) => {
      if (requestConfig.verb !== 'get' || requestConfig.boosted) away(requestConfig.elt)
    })
})()
