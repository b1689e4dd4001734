/** First and last of each stretch of adjoining numbers. */
export function runsOf(numbers: readonly number[]): [first: number, last: number][] {
  const found: [number, number][] = []
  for (const n of [...numbers].sort((a, b) => a - b)) {
    const last = found.at(-1)
    if (last && n <= last[1] + 1) last[1] = n
    else found.push([n, n])
  }
  return found
}

/** Numbers in short: 1, 2, 3, 7 as "1-3, 7". */
export const compactNumbers = (numbers: readonly number[]): string =>
  runsOf(numbers)
    .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
    .join(', ')
