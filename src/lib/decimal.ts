/** Why a number does not fit: not a number, too many digits in all, after the point, or before it. */
export type Misfit = 'invalid' | 'digits' | 'places' | 'whole'

/**
 * A decimal text with exactly `places` decimals, or why it cannot be one of `digits` digits. Exponents are taken;
 * digits count as they are written, so "12.50" has two places.
 */
export function fitDecimal(text: string, digits: number, places: number): string | { error: Misfit } {
  const match = /^([+-]?)(\d{0,400})(?:\.(\d{0,400}))?(?:[eE]([+-]?\d{1,6}))?$/.exec(text.trim())
  if (!match || !(match[2] || match[3])) return { error: 'invalid' }
  const [, sign, whole = '', fraction = ''] = match
  const exponent = Number(match[4] ?? 0) - fraction.length
  const written = (whole + fraction).replace(/^0+(?=.)/, '')
  const error = misfit(written.length, exponent, digits, places)
  if (error) return { error }
  const shifted = written.padEnd(written.length + exponent + places, '0').padStart(places + 1, '0')
  const negative = sign === '-' && /[1-9]/.test(written)
  const behind = places ? `.${shifted.slice(-places)}` : ''
  return `${negative ? '-' : ''}${shifted.slice(0, shifted.length - places)}${behind}`
}

function misfit(count: number, exponent: number, digits: number, places: number): Misfit | undefined {
  const after = Math.max(0, -exponent)
  const before = Math.max(0, count + exponent)
  if (before + after > digits) return 'digits'
  if (after > places) return 'places'
  return before > digits - places ? 'whole' : undefined
}
