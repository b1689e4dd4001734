import { randomUUID } from 'node:crypto'

/** A UUID (version 7) that is greater than those of earlier milliseconds: an index of them grows at its end. */
export function risingUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
