/** SQL of an AS number as people write large ones: `65536` is `1.0`. */
export const asdot = (sql: string): string =>
  `iif(${sql} > 65535, (${sql} >> 16) || '.' || (${sql} & 65535), cast(${sql} as text))`
