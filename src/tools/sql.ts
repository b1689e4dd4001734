/** Quotes an identifier. */
export const q = (name: string): string => `"${name}"`
/** Quotes an SQL text literal. */
export const lit = (text: string): string => `'${text.replaceAll("'", "''")}'`
