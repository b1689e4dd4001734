/** Adds to the list that a map has for a key, and begins it where there is none. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, ...values: readonly V[]): void {
  const list = lists.get(key)
  if (list) list.push(...values)
  else lists.set(key, [...values])
}
