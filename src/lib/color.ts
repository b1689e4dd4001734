const channel = (hex: string, at: number): number => {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** Relative luminance of a colour of six hexadecimal digits: 0 is black, 1 white. */
export const luminance = (hex: string): number =>
  0.2126 * channel(hex, 0) + 0.7152 * channel(hex, 2) + 0.0722 * channel(hex, 4)

/** Black or white, whichever has the higher contrast on a colour. */
export const readableOn = (hex: string): '000000' | 'ffffff' => (luminance(hex) > 0.179 ? '000000' : 'ffffff')

/** The colour if it is six hexadecimal digits, else the other. */
export const hexColor = (text: string | null | undefined, otherwise: string): string =>
  /^[0-9a-f]{6}$/i.test(text ?? '') ? text!.toLowerCase() : otherwise
