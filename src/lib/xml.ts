/** Text as XML shows it, in content and attributes alike; characters that XML cannot hold are dropped. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

export type Attributes = Readonly<Record<string, string | number | undefined>>

/** One element; attribute values are escaped, the content is finished XML. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes)
    .flatMap(([key, value]) => (value === undefined ? [] : [` ${key}="${escapeXml(String(value))}"`]))
    .join('')
  return content ? `<${name}${written}>${content}</${name}>` : `<${name}${written}/>`
}

/** One element around a text. */
export const textElement = (name: string, attributes: Attributes, text: string): string =>
  element(name, attributes, escapeXml(text))
