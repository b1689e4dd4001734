/** Widths of letters, of their size, in the widest of the usual fonts: the first sort that has a letter counts. */
const Sorts: readonly (readonly [sort: RegExp, width: number])[] = [
  [/\p{M}/u, 0],
  [/[ijlI.,:;'|!]/, 0.31],
  [/[frtJ()[\]{}/\\ "*-]/, 0.38],
  [/[csvxyzk]/, 0.56],
  [/[mwMW@%…—]/, 0.99],
  [/[DGHNOQU&+<=>~]/, 0.79],
  [/\p{Lu}/u, 0.7],
  [/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u, 1],
  [/[\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u, 1],
]
const Other = 0.635

const known = new Map<string, number>()
function widthOf(letter: string): number {
  let width = known.get(letter)
  if (width === undefined) {
    width = Sorts.find(([sort]) => sort.test(letter))?.[1] ?? Other
    if (known.size < 10_000) known.set(letter, width)
  }
  return width
}

/** About how wide a text is at most. */
export function lengthOf(text: string, size: number): number {
  let width = 0
  for (const letter of text) width += widthOf(letter)
  return Math.ceil(width * size) + 1
}

/** How many letters of a text fit a width. */
export function fitting(letters: readonly string[], width: number, size: number): number {
  let left = width / size
  for (const [i, letter] of letters.entries()) {
    left -= widthOf(letter)
    if (left < 0) return i
  }
  return letters.length
}

/** As much of a text as fits a width, with dots for what does not. */
export function fit(text: string, width: number, size: number): string {
  const letters = [...text]
  if (fitting(letters, width, size) === letters.length) return text
  const most = fitting(letters, width - widthOf('…') * size, size)
  return `${letters.slice(0, most).join('').trimEnd()}…`
}
