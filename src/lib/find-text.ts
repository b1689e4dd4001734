/** How far the letters of what is sought up to each are its first ones again: Knuth, Morris and Pratt's table. */
function tableOf(sought: string): Uint32Array {
  const table = new Uint32Array(sought.length)
  for (let i = 1, matched = 0; i < sought.length; i++) {
    while (matched > 0 && sought.charCodeAt(i) !== sought.charCodeAt(matched)) matched = table[matched - 1]!
    if (sought.charCodeAt(i) === sought.charCodeAt(matched)) matched++
    table[i] = matched
  }
  return table
}

let last: { sought: string; table: Uint32Array } | undefined

/** Letters up to which the engine's own search is quick, whatever the text. */
const Short = 32

/**
 * Whether a text holds another, in time linear in the text: SQLite and the engine compare long ones letter by letter
 * from each place, which takes minutes where somebody chose both.
 */
export function includesText(text: string, sought: string): boolean {
  if (sought.length <= Short) return text.includes(sought)
  if (last?.sought !== sought) last = { sought, table: tableOf(sought) }
  const { table } = last
  for (let i = 0, matched = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i)
    while (matched > 0 && letter !== sought.charCodeAt(matched)) matched = table[matched - 1]!
    if (letter === sought.charCodeAt(matched) && ++matched === sought.length) return true
  }
  return false
}
