/** Prints rows: in columns with their names on a terminal, with tabs and without names for other programs. */
export function printTable(names: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const texts = rows.map((row) => row.map(String))
  if (!process.stdout.isTTY) {
    process.stdout.write(texts.map((row) => `${row.join('\t')}\n`).join(''))
    return
  }
  const widths = names.map((name, i) => Math.max(name.length, ...texts.map((row) => row[i]!.length)))
  for (const row of [names, ...texts])
    process.stdout.write(
      `${row
        .map((text, i) => text.padEnd(widths[i]!))
        .join('  ')
        .trimEnd()}\n`,
    )
}
