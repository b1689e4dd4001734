/**
 * Reads "ADDRESS:PORT"; an IPv6 address stands in brackets, and none at all means every address. Undefined for anything
 * else.
 */
export function parseListen(given: string): { host: string | undefined; port: number } | undefined {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:\s[\]]*)):(\d{1,5})$/.exec(given) ?? []
  if (port === undefined || Number(port) > 65_535) return undefined
  return { host: (bracketed ?? plain) || undefined, port: Number(port) }
}
