/** Why a number does not fit: not a number, too many digits in all, after the point, or before it. */
export type Misfit = 'invalid' | 'digits' | 'places' | 'whole'

/** A decimal text with exactly `places` decimals, or why it cannot be one of `digits` digits. Exponents are taken. */
export function fitDecimal(text: string, digits: number, places: number): string | { error: Misfit } {
  const match = /^([+-]?)(\d{0,400})(?:\.(\d{0,400}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim())
  if (!match || !(match[2] || match[3])) return { error: 'invalid' }
  const shift = Number(match[4] ?? 0)
  const all = (match[2] ?? '') + (match[3] ?? '')
  const point = (match[2] ?? '').length + shift
  const whole = (point > 0 ? all.slice(0, point).padEnd(point, '0') : '0').replace(/^0+(?=.)/, '')
  const fraction = (point >= 0 ? all.slice(point) : '0'.repeat(-point) + all).replace(/0+$/, '')
  const wholeDigits = whole === '0' ? 0 : whole.length
  if (wholeDigits + fraction.length > digits) return { error: 'digits' }
  if (fraction.length > places) return { error: 'places' }
  if (wholeDigits > digits - places) return { error: 'whole' }
  const sign = match[1] === '-' && (whole !== '0' || fraction !== '') ? '-' : ''
  return `${sign}${whole}${places ? `.${fraction.padEnd(places, '0')}` : ''}`
}
