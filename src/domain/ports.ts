/** One port number of a body: 1 to 65535. */
export function portNumber(value: unknown): { value: number } | { error: string } {
  const port = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value
  if (typeof port !== 'number' || !Number.isInteger(port)) return { error: 'A valid integer is required.' }
  if (port < 1) return { error: 'Ensure this value is greater than or equal to 1.' }
  if (port > 65535) return { error: 'Ensure this value is less than or equal to 65535.' }
  return { value: port }
}
