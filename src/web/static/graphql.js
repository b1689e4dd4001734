// The editor of GraphQL queries: runs them, and shows what may be asked where the cursor stands.
;(() => {
  const base = document.querySelector('meta[name="base"]').content
  const form = document.querySelector('form.graphql')
  const { query, variables } = form.elements
  const answer = form.querySelector('output')
  const members = form.querySelector('.members')
  const where = form.querySelector('.where')

  const ask = async (body) => {
    const answered = await fetch(`${base}/graphql/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answered.status, text: await answered.text() }
  }

  const show = (text, isBad = false) => {
    answer.textContent = text
    answer.classList.toggle('bad', isBad)
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    let given
    try {
      given = variables.value.trim() ? JSON.parse(variables.value) : undefined
    } catch (error) {
      return show(`The variables are no JSON: ${error.message}`, true)
    }
    show('…')
    try {
      const { status, text } = await ask({ query: query.value, variables: given })
      let shown = text
      try {
        shown = JSON.stringify(JSON.parse(text), null, 2)
      } catch {} // a sentence
      show(shown, status !== 200 || /^\{\s*"data": null/.test(shown))
      sessionStorage.setItem('graphql', JSON.stringify([query.value, variables.value]))
    } catch (error) {
      show(`The server did not answer: ${error.message}`, true)
    }
  })

  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    form.requestSubmit()
  })

  const kept = sessionStorage.getItem('graphql')
  if (kept) [query.value, variables.value] = JSON.parse(kept)

  // What may be asked

  const Schema = `{__schema{queryType{name} types{name kind
    fields{name type{...t} args{name type{...t}}} inputFields{name type{...t}} enumValues{name} possibleTypes{name}}}}
    fragment t on __Type{name kind ofType{name kind ofType{name kind ofType{name kind}}}}`

  let types
  const loaded = ask({ query: Schema }).then(({ status, text }) => {
    if (status !== 200) return
    const { data } = JSON.parse(text)
    if (data) types = new Map(data.__schema.types.map((type) => [type.name, type]))
    hint()
  })

  const named = (type) => (type.ofType ? named(type.ofType) : type.name)
  const shown = (type) =>
    type.kind === 'NON_NULL' ? `${shown(type.ofType)}!` : type.kind === 'LIST' ? `[${shown(type.ofType)}]` : type.name

  /** Where the text before the cursor leads: the type asked there, what is begun, and whether it is an input. */
  function placeOf(text) {
    const stack = []
    let last
    let before
    const top = () => stack.at(-1)
    const member = (list, name) => list?.find((each) => each.name === name)
    const tokens = text
      .replace(/#.*$/gm, '')
      .matchAll(/"""[\s\S]*?"""|"(?:\\.|[^"\\])*"|\.\.\.|[_A-Za-z]\w*|\d[\w.]*|[{}()[\]:@!$=|]/g)
    for (const [token] of tokens) {
      if (token === '{' && stack.length === 0)
        stack.push({ type: before === 'on' ? types.get(last) : types.get('Query') })
      else if (token === '{' && top().isInput) stack.push({ type: types.get(top().expected ?? ''), isInput: true })
      else if (token === '{') stack.push({ type: before === 'on' ? types.get(last) : types.get(top().expected ?? '') })
      else if (token === '(' && stack.length)
        stack.push({ type: top().field && { inputFields: top().field.args, name: last }, isInput: true })
      else if (token === '}' || token === ')') stack.pop()
      else if (/^\w/.test(token) && stack.length) {
        const here = top()
        const found = member(here.isInput ? here.type?.inputFields : here.type?.fields, token)
        if (found) {
          here.field = found
          here.expected = named(found.type)
        }
      }
      before = last
      last = token
    }
    const begun = /[_A-Za-z]\w*$/.exec(text)?.[0] ?? ''
    return {
      type: top()?.type,
      isInput: top()?.isInput,
      begun,
      expected: top()?.expected,
      isValue: /:\s*\w*$/.test(text),
    }
  }

  function hint() {
    if (!types) return
    const { type, isInput, begun, expected, isValue } = placeOf(query.value.slice(0, query.selectionStart))
    const values = isInput && isValue ? types.get(expected)?.enumValues : undefined
    const all = values ?? (isInput ? type?.inputFields : (type?.fields ?? type?.possibleTypes)) ?? []
    const fitting = all.filter(({ name }) => name.startsWith(begun))
    where.textContent = type ? `${type.name ?? 'Arguments'}${begun ? `: ${begun}…` : ''}` : 'Begin with { to ask'
    const list = (fitting.length ? fitting : all).slice(0, 300)
    members.replaceChildren(
      ...list.map(({ name, type: of }) => {
        const item = document.createElement('li')
        const button = document.createElement('button')
        button.type = 'button'
        button.textContent = name
        button.addEventListener('click', () => put(fitting.length ? name.slice(begun.length) : ` ${name}`))
        item.append(button)
        if (of) item.append(` ${shown(of)}`)
        return item
      }),
    )
  }

  function put(text) {
    query.focus()
    query.setRangeText(text, query.selectionStart, query.selectionEnd, 'end')
    hint()
  }

  for (const event of ['input', 'keyup', 'click', 'focus']) query.addEventListener(event, hint)
  void loaded
})()
