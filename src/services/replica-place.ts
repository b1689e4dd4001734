// Where a replica lies, and what is there of it.
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeSafely } from '../lib/safe-file.ts'

/** What is copied: the database, the files that belong to it, and the heartbeat of their source. */
export const Parts = ['main', 'files', 'pulse'] as const
export type Part = (typeof Parts)[number]

/**
 * The URL of one part of a replica in an epoch; each epoch has a place of its own, so that no source writes over
 * another's.
 */
export function urlOf(place: string, epoch: number, part: Part): string {
  const [base, query] = place.split(/(?=\?)/, 2) as [string, string?]
  return `${base.replace(/\/+$/, '')}/epoch-${epoch}/${part}${query ?? ''}`
}

/** The folder that a place is; undefined where it is none. */
export const folderOf = (place: string): string | undefined =>
  place.startsWith('file://') ? decodeURIComponent(place.slice('file://'.length)) : undefined

const markOf = (folder: string): string => join(folder, 'cabinet-replica.txt')
const Mark =
  'Cabinet keeps a replica in this folder. Where this file is missing it writes nothing: the disk is not mounted.\n'

/** Says that a folder is to hold a replica; it is made where it is not there. Nothing is done at other places. */
export function markPlace(place: string): void {
  const folder = folderOf(place)
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeSafely(markOf(folder), Mark)
}

/**
 * Whether a place may be written to: of a folder, whether it holds a replica or is to, so that nothing is put where a
 * disk is to be mounted.
 */
export function isMarked(place: string): boolean {
  const folder = folderOf(place)
  return folder === undefined || existsSync(markOf(folder))
}

/** Marks a folder in which a version before the marks keeps a replica. */
export function markOlder(place: string): void {
  const folder = folderOf(place)
  if (folder === undefined || isMarked(place) || !existsSync(folder)) return
  if (readdirSync(folder).some((name) => /^epoch-\d+$/.test(name))) markPlace(place)
}
