/** Numbers in short: 1, 2, 3, 7 as "1-3, 7". */
export function compactNumbers(numbers: readonly number[]): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b)
  const runs: [number, number][] = []
  for (const n of sorted) {
    const last = runs.at(-1)
    if (last && n === last[1] + 1) last[1] = n
    else runs.push([n, n])
  }
  return runs.map(([low, high]) => (low === high ? `${low}` : `${low}-${high}`)).join(', ')
}
