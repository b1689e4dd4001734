/** The filter that says that something is divided by nothing. */
export const ByZero = '__by_zero'

/** What templates written for the reference call on related objects and addresses, as filters and members. */
const Calls: readonly (readonly [RegExp, string])[] = [
  [/\.all\(\)/g, ''],
  [/\.(?:count|exists)\(\)/g, '|length'],
  [/\.first\(\)/g, '[0]'],
  [/\.last\(\)/g, '[-1]'],
  [/\.get_config_context\(\)/g, '.config_context'],
  [/\.get_(\w+)_display\(\)/g, '.__labels__.$1'],
  [/\.(address|prefix)\.(ip|network|netmask|broadcast|prefixlen|version|cidr)\b/g, '.$1|address_part("$2")'],
]

/** What is copied as it is: comments, and what stands between `raw` and `endraw`. */
const Literal = /\{#[\s\S]*?#\}|\{%[-+]?\s*raw\s*[-+]?%\}[\s\S]*?\{%[-+]?\s*endraw\s*[-+]?%\}/y
const Quoted = /"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'/y
const Opening: Readonly<Record<string, string>> = { '{%': '%}', '{{': '}}' }

/** A pattern at a place of a text, which stands there or not. */
const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/**
 * Where a tag that is opened before `at` ends: its quoted texts and brackets are its own. The end of the text for none.
 */
function endOf(source: string, at: number, closing: string): number {
  for (let depth = 0; at < source.length; at++) {
    const quoted = matchAt(Quoted, source, at)
    if (quoted) at += quoted.length - 1
    else if (depth === 0 && source.startsWith(closing, at)) return at
    else if ('{[('.includes(source[at]!)) depth++
    else if ('}])'.includes(source[at]!)) depth--
  }
  return source.length
}

/** What may follow a value and belong to it: members, and filters. */
const Member = /\s*\.\s*\w+|\s*\|\s*\w+/y
const Value = /\s*[-+]?\s*(?:\d[\w.]*|[A-Za-z_]\w*|(?=\())/y

/** Where the value ends that stands at a place of a tag, with what is called and looked up in it; `at` for none. */
function endOfValue(code: string, at: number): number {
  const first = matchAt(Value, code, at)
  if (first === undefined) return at
  let end = at + first.length
  for (;;) {
    const closing = ({ '(': ')', '[': ']' } as Readonly<Record<string, string>>)[code[end] ?? '']
    if (closing) end = Math.min(endOf(code, end + 1, closing) + 1, code.length)
    else {
      const member = matchAt(Member, code, end)
      if (member === undefined) return end
      end += member.length
    }
  }
}

/**
 * Divisions fail where it is by nothing: the engine has an infinity for numbers with a point. What is divided by stands
 * twice then, so not where it divides itself.
 */
function dividing(code: string): string {
  let text = ''
  for (let at = 0; at < code.length; ) {
    const quoted = matchAt(Quoted, code, at)
    const sign = quoted ?? matchAt(/\/\/?/y, code, at) ?? code[at]!
    text += sign
    at += sign.length
    if (quoted || !sign.startsWith('/')) continue
    const end = endOfValue(code, at)
    const value = code.slice(at, end)
    if (end === at || value.includes('/') || Number(value)) continue
    text += `(${value} if ${value} else 0|${ByZero})`
    at = end
  }
  return text
}

/** Filters that take a text, as one of them in a regular expression. */
const OfTexts = [
  'capitalize|center|e|escape|format|indent|lower|replace',
  'safe|string|striptags|title|trim|truncate|upper|urlencode|wordwrap',
].join('|')
/** Names whose values are taken as texts: before a `~`, behind it, and before these filters. */
const Texts = [
  /(?<![\w.)\]|])([A-Za-z_]\w*(?:\.\w+)*)(?=\s*~)/g,
  /(?<=~\s*)([A-Za-z_]\w*(?:\.\w+)*)(?![\w.([|])/g,
  new RegExp(`(?<![\\w.)\\]|])([A-Za-z_]\\w*(?:\\.\\w+)*)(?=\\s*\\|\\s*(?:${OfTexts})\\b)`, 'g'),
]
const spelled = (code: string): string =>
  Texts.reduce((text, name) => text.replace(name, '($1|printed if $1 is mapping else $1)'), code)

/** The calls of a tag, where they do not stand in quotes. */
const calling = (code: string): string =>
  code
    .split(/("(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*')/)
    .map((part, i) => (i % 2 ? part : spelled(Calls.reduce((text, [by, to]) => text.replace(by, to), part))))
    .join('')

/** What the engine prints by itself: the rest of a loop, of a call and of a block. */
const Whole = /^\s*(?:loop|caller|super)\s*\(/

/**
 * An output tag whose value is printed as Python does it, where that is an object, None or a truth: worked out once,
 * and
 * looked at before it is printed, since a filter would hide that a name is undefined.
 */
function printing(code: string): string {
  const [, before, expression, after] = /^([-+]?)([\s\S]*?)([-+]?)$/.exec(code) as unknown as string[]
  if (Whole.test(expression!) || expression!.trim() === '') return `{{${code}}}`
  const isTold = '__v is mapping or __v is none or __v is boolean'
  return `{%${before || '+'} set __v = ${expression} %}{{ (__v|printed) if (${isTold}) else __v ${after}}}`
}

/** A template with what only the reference's engine knows in words that ours knows; text between the tags stays. */
export function inOurDialect(source: string): string {
  let text = ''
  for (let at = 0; at < source.length; ) {
    const literal = matchAt(Literal, source, at)
    const opening = source.slice(at, at + 2)
    const closing = literal === undefined ? Opening[opening] : undefined
    if (!closing) {
      const next = source.slice(at + 1).search(/\{[{%#]/)
      const end = literal === undefined ? (next < 0 ? source.length : at + 1 + next) : at + literal.length
      text += source.slice(at, end)
      at = end
      continue
    }
    const end = endOf(source, at + 2, closing)
    const code = calling(dividing(source.slice(at + 2, end)))
    const isWhole = source.startsWith(closing, end)
    text += opening === '{{' && isWhole ? printing(code) : `${opening}${code}${isWhole ? closing : ''}`
    at = end + closing.length
  }
  return text
}
