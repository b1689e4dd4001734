/** What spreadsheets take for a formula, also behind apostrophes; a number with its sign is none. */
const Formula = /^'*[=+\-@\t\r＝＋－＠]/u
const SignedNumber = /^[+-]?[\d.,]+(?:[eE][+-]?\d+)?$/

/** A text as no spreadsheet takes it for a formula: with an apostrophe before it. `asWritten` takes that away. */
export const asText = (text: string): string => (Formula.test(text) && !SignedNumber.test(text) ? `'${text}` : text)

/** A text as a file says it that no spreadsheet need open, and that is read like others. */
export const asItIs = (text: string): string => (text.startsWith("'") ? asText(text) : text)

/** What a cell said before `asText`; numbers, which had an apostrophe in files of earlier versions, are freed of it. */
export const asWritten = (cell: string): string => (cell.startsWith("'") && Formula.test(cell) ? cell.slice(1) : cell)
