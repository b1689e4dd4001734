import assert from 'node:assert/strict'
import { after } from 'node:test'
import { LogSync, type Wait } from '../../src/store/log-sync.ts'
import { type Client, launch } from './launch.ts'

/** A server whose disk takes as long as a test wants, or fails. Closed after the tests of the file. */
export async function serveOn(wait: Wait): Promise<Client> {
  const client = await launch({ workers: 0 })
  const { commit, db } = client.running.store
  db.raw.pragma('synchronous = normal')
  commit.logSync = new LogSync(db.raw.name, wait)
  after(client.close)
  return client
}

/** A disk that is done when it is told to. */
export class Disk {
  waiting: (() => void)[] = []
  isQuick = true
  readonly wait: Wait = (_, done) => {
    if (this.isQuick) done(null)
    else this.waiting.push(() => done(null))
  }
  /** Ends the wait that is under way. */
  done(): void {
    const [first] = this.waiting.splice(0, 1)
    assert.ok(first, 'the disk is waited for')
    first()
  }
}
