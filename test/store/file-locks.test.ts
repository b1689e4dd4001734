import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../src/lib/addons.ts'
import { makeClone } from '../../src/history/clone.ts'
import type { KitRow } from '../../src/history/source.ts'
import { copyDatabase } from '../../src/store/copy.ts'
import { LogSync } from '../../src/store/log-sync.ts'
import { migrate } from '../../src/store/migrate.ts'
import { scratch } from '../support/cli.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const { call, data, running } = client
const { database, shared } = { database: join(data, 'cabinet.db'), shared: join(data, 'cabinet.db-shm') }

/** What this process has locked of a file, as the system sees it. */
function locksOf(file: string): string[] {
  const mine = ` ${process.pid} `
  const inode = `:${statSync(file).ino} `
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(mine) && line.includes(inode))
    .map((line) => line.replace(/^\d+: /, ''))
    .sort()
}

const onLinux = { skip: process.platform === 'linux' ? false : '/proc/locks is of Linux' }

test('a server keeps the locks of its database, whatever is copied of it', onLinux, async () => {
  const create = creating(client)
  const region = await create('dcim/regions', { name: 'Then', slug: 'then' })
  const renamed = await call('PATCH', `/api/dcim/regions/${region.id}/`, { name: 'Now' })
  const before = [locksOf(database), locksOf(shared)]
  assert.ok(
    before.every((locks) => locks.length > 0),
    'there are locks',
  )
  const areKept = (what: string) => assert.deepEqual([locksOf(database), locksOf(shared)], before, what)
  const at = `before-${renamed.headers.get('x-request-id')}`
  assert.equal((await call('GET', `/api/dcim/regions/${region.id}/?at=${at}`)).json.name, 'Then')
  areKept('a look back')
  await copyDatabase(database, join(scratch(), 'copy.db'))
  areKept('a copy')
  const place = { database, uploads: running.store.uploads, folder: scratch(), version: '1' }
  await makeClone(place, { id: 1, name: 'k', with_secrets: 1 } as KitRow, join(data, 'peppers.json'))
  areKept('a clone')
  const sync = new LogSync(database)
  sync.syncNow()
  sync.close()
  areKept('its log')
})

test('a migration keeps them too', onLinux, () => {
  const file = join(scratch(), 'old.db')
  const db = openDatabase(file)
  db.pragma('journal_mode = wal')
  const source = (count: number) => (name: string) =>
    name.endsWith('.json')
      ? JSON.stringify({ entries: ['0000', '0001'].slice(0, count).map((tag) => ({ tag, when: 0 })) })
      : `create table t${name.slice(0, 4)} (id integer primary key)`
  migrate(db, source(1))
  const before = locksOf(file)
  assert.deepEqual(migrate(db, source(2)), ['0001'])
  assert.ok(before.length > 0)
  assert.deepEqual(locksOf(file), before)
  db.close()
})

/**
 * Files of src that open files by themselves, and what they open. When a process closes a file, the system takes back
 * all locks that it has on it, those of SQLite as well: the next process that closes the database then believes to be
 * the last one, and removes the log that the server writes to. So none of these may open a database that is in use.
 */
const Openers: Readonly<Record<string, string>> = {
  'cli/backup-series.ts': 'the series of scheduled backups',
  'cli/bundles.ts': 'bundles',
  'cli/clone.ts': 'what a clone says of itself, and its peppers',
  'cli/exchange.ts': 'tables that come and go',
  'cli/kit-source.ts': 'the archive of a clone',
  'cli/prompt.ts': 'standard input',
  'cli/service.ts': 'the unit of a service',
  'cli/sync.ts': 'what is sent and came of a kit',
  'cli/unit.ts': 'the unit of a service, and its file of variables',
  'cli/upgrade.ts': 'executables; the database while its server is stopped, which this process never opens',
  'config.ts': 'the configuration',
  'exchange/device-library/files.ts': 'a library',
  'exchange/netbox/copier.ts': 'uploads',
  'graphql/run.ts': 'the page of GraphQL',
  'history/clone.ts': 'what a clone says of itself',
  'history/conflict-file.ts': 'conflicts',
  'history/kit-files.ts': 'uploads',
  'http/kits.ts': 'archives of clones',
  'http/media.ts': 'uploads',
  'lib/archive.ts': 'archives; uploads, peppers, copies of the database, and that of a kit that nobody has open',
  'lib/assets.ts': 'assets',
  'lib/log.ts': 'the log',
  'lib/materialise.ts': 'addons',
  'lib/passphrase.ts': 'sealed archives',
  'lib/regular-file.ts': 'files of data sources, and certificates: never below the data folder, never the database',
  'lib/safe-file.ts': 'small files, and a database that is being made',
  'lib/workers/git.ts': 'a repository in a folder of its own',
  'server/listening.ts': 'certificates of the configuration',
  'services/carried-files.ts': 'uploads and peppers',
  'services/litestream.ts': 'a log',
  'store/checkpoints.ts': 'the database; closed when no connection of the process is open any more',
  'store/commit-number.ts': 'the index of the log; closed when no connection of the process is open any more',
  'store/copy.ts': 'a copy that nobody else has open, closed once it is whole',
  'store/data-folder.ts': 'peppers, and notes',
  'store/log-sync.ts': 'the log of the database, of which SQLite locks nothing',
  'store/replication.ts': 'the role',
  'store/uploads.ts': 'uploads',
  'web/parts/kit.ts': 'a bundle',
}

test('nothing opens a database but SQLite', () => {
  const opening =
    /\b(?:(?:open|readFile|writeFile|appendFile|copyFile|cp|truncate)(?:Sync)?|create(?:Read|Write)Stream|openAsBlob)\b/
  const top = join(import.meta.dirname, '../../src')
  const openers = globSync('**/*.{ts,cts}', { cwd: top }).filter((file) =>
    [...readFileSync(join(top, file), 'utf8').matchAll(/import ([^'"]*?) from '(?:node:)?fs(?:\/promises)?'/g)].some(
      ([, names]) => opening.test(names!) || !names!.includes('{'),
    ),
  )
  assert.deepEqual(openers.sort(), Object.keys(Openers).sort(), 'say here what it opens')
})
