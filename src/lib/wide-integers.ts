const Most = 2n ** 63n

/** Whether a text is a whole number as SQLite stores it exactly: one of 64 bits. */
export function isWide(text: string): boolean {
  if (!/^\s*-?\d{1,19}\s*$/.test(text)) return false
  const number = BigInt(text.trim())
  return number >= -Most && number < Most
}
