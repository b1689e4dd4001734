// What pages do in a browser beyond links and forms. Each page works without it.
;(() => {
  const base = document.querySelector('meta[name=base]').content
  const token = () => (document.cookie.match(/(?:^|; )csrftoken=([^;]+)/) || [])[1] || ''
  const all = (root, selector) => [...(root.matches?.(selector) ? [root] : []), ...root.querySelectorAll(selector)]

  /** An address with more in its query, which may say already of which moment. */
  const withQuery = (address, query) => `${address}${address.includes('?') ? '&' : '?'}${query}`

  /** A line of a picker: what the object is called, and what tells it from others of that name. */
  const textOf = (object) => {
    const whole = (object.device ?? object.virtual_machine)?.display
    const beside = whole ?? (object.parent ? `in ${object.parent.display}` : (object.description ?? ''))
    return { text: object.display ?? object.name ?? String(object.id), beside: beside === object.display ? '' : beside }
  }

  /** Filters of what a picker offers: see `Narrow` in narrowing.ts. */
  const narrowOf = (select) => JSON.parse(select.dataset.narrow || '{}')

  /** What one of them says now. */
  function saidBy(form, told) {
    if (/^[=$]/.test(told)) return [told === '$id' ? form?.dataset.id : told.slice(1)].filter(Boolean)
    if (told.includes('|')) return told.split('|').flatMap((each) => saidBy(form, each))
    const [name, kind] = told.split(':')
    const chosen = kind && form?.elements[`${name.replace(/^_within_|_id$/g, '')}_type`]?.selectedOptions[0]
    if (kind && kind !== chosen?.value && kind !== chosen?.dataset.by) return []
    const controls = form ? [...form.querySelectorAll(`[name="${name}"]`)] : []
    const values = controls.flatMap((other) =>
      other.multiple ? [...other.selectedOptions].map((option) => option.value) : [other.value],
    )
    return values.filter((value) => value && value !== 'null')
  }

  /** Objects that a picker offers for what was typed, narrowed by other fields of the form. */
  async function offered(select, typed) {
    const [source, told] = select.dataset.source.split('#')
    const { above, called } = Object.fromEntries(new URLSearchParams(told))
    const shown = above ? { fields: `id,display,name,slug,description,${above}` } : { brief: '1' }
    const query = new URLSearchParams({ ...shown, limit: '50' })
    if (typed) query.set('q', typed)
    const form = select.form
    for (const [parameter, told] of Object.entries(narrowOf(select))) {
      const said = [told].flat().map((each) => saidBy(form, each))
      if (said.every((values) => values.length > 0)) for (const value of said.flat()) query.append(parameter, value)
    }
    const asked = async () => {
      const answer = await fetch(withQuery(source, query), { headers: { accept: 'application/json' } })
      return answer.ok ? (await answer.json()).results : []
    }
    let results = await asked()
    if (typed && called && results.length === 0) {
      query.delete('q') // which looks at what objects hold; perhaps this is what they are called
      query.set('_called', typed)
      results = await asked()
    }
    const by = select.dataset.by || 'id'
    return results.map((object) => ({ value: String(object[by] ?? object.id), ...textOf(object) }))
  }

  const escaped = (text) =>
    text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c])
  /**
   * Tells how well an object fits what is typed: what the server found for it, and what is called so comes first. Until
   * it answers, what is called so alone.
   */
  const fitting = (found) => (query) => {
    const typed = query.toLowerCase()
    return ({ value, text }) => {
      const name = (text ?? '').toLowerCase()
      if (name === typed) return 4
      if (name.startsWith(typed)) return 3
      if (name.includes(typed)) return 2
      return found.typed.trim() === query.trim() && found.values.has(value) ? 1 : 0
    }
  }

  const line = ({ text, beside }) => `<div>${escaped(text)}${beside ? ` <small>${escaped(beside)}</small>` : ''}</div>`

  // The button that takes away what is chosen says what that is.
  TomSelect.define('named_remove', function () {
    this.hook('after', 'setupTemplates', () => {
      const draw = this.settings.render.item
      this.settings.render.item = (data, escapeText) => {
        const item = draw.call(this, data, escapeText)
        item.querySelector('.remove').setAttribute('aria-label', `Remove ${data.text}`)
        return item
      }
    })
  })

  function picker(select) {
    if (select.tomselect) return
    const label = document.querySelector(`label[for="${select.id}"]`)
    if (select.dataset.must !== undefined) select.required = true
    const isRemote = Boolean(select.dataset.source)
    const add = select.dataset.add
    const found = { typed: '', values: new Set() }
    new TomSelect(select, {
      maxOptions: 200,
      refreshThrottle: 0, // else Enter soon after typing takes what was offered before
      plugins: select.multiple ? ['remove_button', 'named_remove'] : [],
      searchField: isRemote ? [] : ['text'],
      placeholder: select.multiple && select.closest('.filters') ? 'Any' : undefined,
      allowEmptyOption: false,
      ...(select.dataset.choices
        ? {
            preload: 'focus',
            shouldLoad: (typed) => typed === '',
            load: (_typed, done) =>
              fetch(select.dataset.choices)
                .then((answer) => (answer.ok ? answer.json() : []))
                .then(
                  (list) => done(list.map(([value, text]) => ({ value: String(value), text }))),
                  () => done(),
                ),
          }
        : {}),
      ...(isRemote
        ? {
            preload: 'focus',
            shouldLoad: () => true,
            score: fitting(found),
            load: (typed, done) =>
              offered(select, typed).then(
                (list) => {
                  // Answers come in another order than they were asked for, or to who has typed on meanwhile.
                  const now = select.tomselect.inputValue()
                  if (typed === now) {
                    found.typed = typed
                    found.values = new Set(list.map(({ value }) => value))
                  } else if (!select.tomselect.loadedSearches[now]) select.tomselect.load(now)
                  done(list)
                  select.tomselect.refreshOptions(false)
                },
                () => done(),
              ),
            render: {
              option: line,
              item: line,
              ...(add
                ? { option_create: ({ input }) => `<div class="create">Add <b>${escaped(input)}</b></div>` }
                : {}),
            },
          }
        : {}),
      ...(add
        ? {
            // Something new is offered once it is known that nothing is called so.
            createFilter: (typed) =>
              found.typed === typed &&
              !Object.values(select.tomselect.options).some(({ text }) => text?.toLowerCase() === typed.toLowerCase()),
            create: (name, done) =>
              made(add, name).then(done, (why) => {
                alert(why.message)
                done()
              }),
          }
        : { create: false }),
    })
    const { tomselect } = select
    const name = label?.textContent.replace('*', '').trim() ?? select.getAttribute('aria-label')
    if (name) for (const each of [select, tomselect.control_input]) each.setAttribute('aria-label', name)
    for (const said of ['aria-describedby', 'aria-invalid'])
      if (select.hasAttribute(said)) tomselect.control_input.setAttribute(said, select.getAttribute(said))
    const others = Object.values(narrowOf(select))
      .flat()
      .filter((each) => !/^[=$]/.test(each))
      .flatMap((each) => each.split('|'))
    for (const name of others.map((each) => each.split(':')[0]))
      for (const other of select.form?.querySelectorAll(`[name="${name}"]`) ?? [])
        other.addEventListener('change', () => {
          tomselect.clearOptions()
          tomselect.loadedSearches = {}
        })
  }

  /** Makes a small object on the spot. */
  async function made(address, name) {
    const slug = slugOf(name)
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', 'x-csrftoken': token() },
      body: JSON.stringify({ name, slug }),
    })
    const object = await answer.json()
    if (!answer.ok) throw new Error(Object.values(object).flat().join(' '))
    return { value: String(object.id), ...textOf(object) }
  }

  const slugOf = (text) =>
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase()
      .replace(/[^a-z0-9_]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 100)

  /** Slugs follow the name until someone writes one. */
  function follow(input) {
    const from = input.form?.elements[input.dataset.from] ?? input.form?.elements.model
    if (!from || from.dataset.followed) return
    from.dataset.followed = '1'
    let own = input.value !== ''
    input.addEventListener('input', () => {
      own = input.value !== ''
    })
    from.addEventListener('input', () => {
      if (!own) input.value = slugOf(from.value)
    })
  }

  /** The kind chosen says where the object beside it is looked for. */
  function kinds(select) {
    if (select.dataset.ready) return
    select.dataset.ready = '1'
    within(select)
    select.addEventListener('change', () => {
      const other = document.getElementById(select.dataset.kind)
      other.dataset.source = select.selectedOptions[0]?.dataset.source ?? ''
      other.tomselect?.clear()
      other.tomselect?.clearOptions()
      if (other.tomselect) other.tomselect.loadedSearches = {}
    })
  }

  /** Where objects are parts of others (interfaces of devices), that is chosen first and narrows what is offered. */
  function within(select) {
    const whole = document.getElementById(`${select.id}-within`)
    if (!whole) return
    const other = document.getElementById(select.dataset.kind)
    const forget = () => {
      other.tomselect?.clearOptions()
      if (other.tomselect) other.tomselect.loadedSearches = {}
    }
    const turn = () => {
      const { within: source, by, label } = select.selectedOptions[0]?.dataset ?? {}
      whole.parentElement.hidden = !source
      if (source) {
        whole.dataset.source = source
        whole.setAttribute('aria-label', label)
        other.dataset.narrow = JSON.stringify({ [by]: whole.name })
        picker(whole)
        whole.tomselect.settings.placeholder = label
        whole.tomselect.control_input.placeholder = label
        whole.tomselect.control_input.setAttribute('aria-label', label)
      } else delete other.dataset.narrow
    }
    turn()
    select.addEventListener('change', () => {
      whole.tomselect?.clear(true)
      whole.tomselect?.clearOptions()
      if (whole.tomselect) whole.tomselect.loadedSearches = {}
      turn()
    })
    whole.addEventListener('change', () => {
      other.tomselect?.clear(true)
      forget()
    })
  }

  /** What was typed, or put back by the browser, before anything listened. */
  function typed(field) {
    if (field.value !== field.defaultValue) field.dispatchEvent(new Event('input', { bubbles: true }))
  }

  function ready(root) {
    all(root, 'select[data-source], select[data-many], select[data-choices]').forEach(picker)
    all(root, 'input[data-from]').forEach(follow)
    all(root, 'select[data-kind]').forEach(kinds)
    if (navigator.clipboard) for (const button of all(root, 'button[data-copy]')) button.hidden = false
    for (const each of all(root, '[data-print], .narrowers')) each.hidden = false
    all(root, 'input[data-color]').forEach((input) => {
      input.addEventListener('input', () => {
        document.getElementById(input.dataset.color).value = input.value.slice(1)
      })
    })
    all(root, 'input:not([type]), input[type=text], input[type=search], textarea').forEach(typed)
  }

  document.addEventListener('change', ({ target }) => {
    if (target.dataset?.all === undefined) return
    for (const box of target.closest('table').querySelectorAll('input[name=pk]')) box.checked = target.checked
  })

  // Empty fields of a search stay out of the address.
  document.addEventListener('submit', ({ target }) => {
    if (target.method !== 'get') return
    for (const field of target.elements)
      if (field.name && !field.value && field.type !== 'submit') field.disabled = true
    setTimeout(() => {
      for (const field of target.elements) field.disabled = false
    }, 0)
  })

  document.addEventListener('htmx:configRequest', ({ detail }) => {
    if (detail.verb !== 'get') return
    for (const name of new Set(detail.formData.keys()))
      if (!detail.formData.getAll(name).some(Boolean)) detail.formData.delete(name)
  })

  const OpenMenus = 'details:is(.drop, .user)[open]'
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(?:input|textarea|select)$/i.test(event.target.tagName) || event.target.isContentEditable
    if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
      event.preventDefault()
      document.getElementById('q')?.focus()
    }
    if (event.key !== 'Escape') return
    document.querySelector('.menu.open')?.classList.remove('open')
    for (const menu of document.querySelectorAll(OpenMenus)) {
      if (menu.contains(document.activeElement)) menu.querySelector('summary').focus()
      menu.open = false
    }
  })

  document.addEventListener('click', ({ target }) => {
    const bars = target.closest('.bars')
    const menu = document.getElementById('menu')
    if (bars) bars.setAttribute('aria-expanded', String(menu.classList.toggle('open')))
    else if (menu?.classList.contains('open') && (!menu.contains(target) || target.closest('a')))
      menu.classList.remove('open')
    if (target.closest('[data-print]')) print()
    if (target.closest('.theme')) {
      const root = document.documentElement
      const isDark = root.dataset.theme
        ? root.dataset.theme === 'dark'
        : matchMedia('(prefers-color-scheme: dark)').matches
      root.dataset.theme = isDark ? 'light' : 'dark'
      document.cookie = `theme=${root.dataset.theme}; path=${base || '/'}; max-age=31536000; samesite=lax`
    }
    const copy = target.closest('button[data-copy]')
    if (copy)
      navigator.clipboard.writeText(document.getElementById(copy.dataset.copy).textContent).then(() => {
        copy.lastChild.textContent = ' – copied'
        copy.lastChild.className = ''
      })
    for (const open of document.querySelectorAll(OpenMenus)) if (!open.contains(target)) open.open = false
  })

  // The search box: what is found so far stands below it, and arrows choose among it.
  const box = document.getElementById('q')
  const hits = document.getElementById('hits')
  let asked = 0
  let at = -1
  const options = () => [...hits.querySelectorAll('li > a')]
  const choose = (next) => {
    const all = options()
    at = all.length ? (next + all.length) % all.length : -1
    for (const [i, link] of all.entries()) link.setAttribute('aria-selected', String(i === at))
    if (at >= 0) box.setAttribute('aria-activedescendant', all[at].id)
    else box.removeAttribute('aria-activedescendant')
  }
  const show = (isShown) => {
    hits.hidden = !isShown
    box.setAttribute('aria-expanded', String(isShown))
    if (!isShown) choose(-1 - options().length)
  }
  let waiting
  box?.addEventListener('input', () => {
    clearTimeout(waiting)
    const text = box.value.trim()
    if (!text) return show(false)
    waiting = setTimeout(async () => {
      const own = ++asked
      const answer = await fetch(withQuery(hits.dataset.source, `q=${encodeURIComponent(text)}`))
      if (own !== asked || !answer.ok) return
      hits.innerHTML = await answer.text()
      at = -1
      box.removeAttribute('aria-activedescendant')
      show(document.activeElement === box)
    }, 80)
  })
  box?.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') show(false)
    if (hits.hidden) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      choose(event.key === 'ArrowDown' ? at + 1 : Math.max(at, 0) - 1)
    }
    if (event.key === 'Enter' && at >= 0) {
      event.preventDefault()
      location.href = options()[at].href
    }
  })
  box?.addEventListener('blur', () => setTimeout(() => show(false), 200))

  document.addEventListener('htmx:load', ({ detail }) => ready(detail.elt))
  document.addEventListener('htmx:afterSettle', () => {
    for (const link of document.querySelectorAll('#menu a[aria-current]')) link.removeAttribute('aria-current')
    for (const link of document.querySelectorAll('#menu li > a:first-child'))
      if (location.pathname.startsWith(link.getAttribute('href'))) link.setAttribute('aria-current', 'page')
  })
  if (!window.htmx) ready(document.body)
})()
