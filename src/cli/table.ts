/** Prints rows below the names of their columns: side by side on a terminal, with tabs for other programs. */
export function printTable(names: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const texts = [names, ...rows.map((row) => row.map(String))]
  const widths = names.map((_, i) => texts.reduce((most, row) => Math.max(most, row[i]!.length), 0))
  const line = (row: readonly string[]): string =>
    process.stdout.isTTY
      ? row
          .map((text, i) => text.padEnd(widths[i]!))
          .join('  ')
          .trimEnd()
      : row.join('\t')
  process.stdout.write(texts.map((row) => `${line(row)}\n`).join(''))
}

/** Prints rows as a JSON list; answers the exit code 0. */
export function printJson(rows: readonly object[]): number {
  process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  return 0
}
