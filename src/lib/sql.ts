import { createHash } from 'node:crypto'

/** Quotes an identifier. */
export const q = (name: string): string => `"${name}"`
/** Quotes an SQL text literal. */
export const lit = (text: string): string => `'${text.replaceAll("'", "''")}'`
/** SQL that gives the text of the first condition that holds, or else the last text. */
export const cases = (when: readonly (readonly [condition: string, then: string])[], otherwise: string): string =>
  `case ${when.map(([condition, then]) => `when ${condition} then ${then}`).join(' ')} else ${otherwise} end`
/** Sixteen hexadecimal digits that tell statements apart, but for how their lines are broken. */
export const hashOfStatements = (statements: readonly string[]): string =>
  createHash('sha256').update(statements.join('\n').replace(/\s+/g, ' ')).digest('hex').slice(0, 16)
