const Parts = /^([^\d.:]+)?(?:(\d+)\/)?(?:(\d+)\/)?(?:(\d+)\/)?(?:(\d+)\/)?(\d+)?(?::(\d+))?(?:\.(\d+))?(.*)$/s

/** Every run of digits padded to eight, so that text order is number order. */
export const naturalizeDigits = (text: string): string => text.replace(/\d+/g, (digits) => digits.padStart(8, '0'))

/** Sort key of an interface name: slots first, then the kind, then id, channel and sub-interface. */
export function interfaceNameKey(name: string, maxLength = 100): string {
  const [, type, slot, subslot, position, subposition, id, channel, vc, rest] = Parts.exec(name) ?? []
  const place = [slot, subslot, position, subposition]
    .map((part) => (part === undefined ? '9999' : part.padStart(4, '0')))
    .join('')
  const numbers = [id, channel, vc].map((part) => (part === undefined ? '......' : part.padStart(6, '0'))).join('')
  return `${place}${type ?? '.'}${numbers}${naturalizeDigits(rest ?? '')}`.slice(0, maxLength)
}
