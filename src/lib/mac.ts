/** Hexadecimal groups of a hardware address; leading zeros of a pair or a four may be left out ("0:1:2:a:b:c"). */
function hex(text: string, digits: number): string | undefined {
  const trimmed = text.trim()
  const separator = /[:.-]/.exec(trimmed)?.[0]
  const groups = separator ? trimmed.split(separator) : [trimmed]
  const width = digits / groups.length
  if (
    !groups.every(
      (group) => /^[0-9a-f]+$/i.test(group) && group.length <= width && (width < 5 || group.length >= width - 1),
    )
  )
    return undefined
  if (separator ? width !== 4 && (separator === '.' || (width !== 2 && width !== 6)) : trimmed.length !== digits)
    return undefined
  return groups
    .map((group) => group.padStart(width, '0'))
    .join('')
    .toUpperCase()
    .replace(/(..)(?=.)/g, '$1:')
}

/** An EUI-48 in any usual spelling as `AA:BB:CC:DD:EE:FF`; undefined for anything else. */
export const parseMac = (text: string): string | undefined => hex(text, 12)
/** A world wide name (eight bytes) as upper-case hexadecimal pairs with colons. */
export const parseWwn = (text: string): string | undefined => hex(text, 16)
