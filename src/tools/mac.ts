const hex = (text: string, digits: number): string | undefined => {
  const bare = text.trim().replace(/[:.\-]/g, '')
  return bare.length === digits && /^[0-9a-f]+$/i.test(bare) && /^([0-9a-f]+[:.\-]?)+$/i.test(text.trim()) ? bare.toUpperCase().replace(/(..)(?=.)/g, '$1:') : undefined
}

/** An EUI-48 in any usual spelling as `AA:BB:CC:DD:EE:FF`; undefined for anything else. */
export const parseMac = (text: string): string | undefined => hex(text, 12)
/** A world wide name (eight bytes) as upper-case hexadecimal pairs with colons. */
export const parseWwn = (text: string): string | undefined => hex(text, 16)
