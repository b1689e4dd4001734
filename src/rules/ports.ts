import type { Stored } from '../fields/field.ts'

/** The lowest port of a service, by which lists are in order. */
export function lowestPort({ ports }: { ports?: Stored }): number | null {
  const all = JSON.parse(String(ports)) as number[]
  return all.length ? Math.min(...all) : null
}
