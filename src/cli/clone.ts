import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { CloneFacts } from '../history/clone.ts'
import { setPassword } from '../services/accounts.ts'
import { clearRemains, filesOf, lockData } from '../store/data-folder.ts'
import { journaled } from '../store/journal.ts'
import { lastStep, makeKit } from '../store/kit.ts'
import { openStore } from '../store/open.ts'
import { IdsOfOne } from '../store/own-ids.ts'
import type { Input } from './command.ts'
import { fetchClone } from './fetch-clone.ts'
import { lockFolder, newPassphrase } from './kit-lock.ts'
import { type KitSource, SourceError, sourceOf } from './kit-source.ts'
import { pullFrom } from './sync.ts'

/** `cabinet clone URL`: a kit, which is a copy of everything there with ids of its own. */
export async function clone(input: Input): Promise<number> {
  const [url] = input.operands as [string]
  const source = sourceOf(input, url)
  const config = await input.config()
  const { data } = config
  if (existsSync(filesOf(data).database) || existsSync(filesOf(data).locked))
    throw new Error(`${data} holds a database already: name another folder with --data`)
  process.umask(0o077)
  await source.demandSameVersion()
  const { username } = await source.json('GET', '/api/authentication-check/')
  const name =
    input.text('name') ??
    `${hostname().split('.')[0]}-${new Date().toISOString().slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-')}`
  const passphrase = input.flag('encrypt') ? await newPassphrase() : undefined
  const interrupt = () => source.breakOff()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const lacking = existsSync(data) ? undefined : (mkdirSync(data, { recursive: true, mode: 0o700 }) ?? data)
  let release = () => {}
  let scratch: string | undefined
  let kit: Record<string, unknown> | undefined
  let isDone = false
  try {
    release = lockData(data)
    clearRemains(data)
    scratch = mkdtempSync(join(data, '.restore-'))
    const wanted = { name, with_secrets: input.flag('with-secrets'), description: input.text('description') ?? '' }
    // From now on its number is known, so that it can be taken back.
    kit = await source.json('POST', '/api/core/kits/', wanted, undefined, true).catch(async (error: unknown) => {
      throw await unlessLeft(source, name, error)
    })
    const key = await fetchClone(source, Number(kit.id), scratch)
    const facts = JSON.parse(readFileSync(join(scratch, 'kit.json'), 'utf8')) as CloneFacts
    const password = furnish(
      { ...config, data: scratch },
      source,
      { id: Number(kit.id), name, key },
      facts,
      String(username),
      input.flag('with-secrets'),
    )
    for (const part of ['uploads', 'peppers.json', 'cabinet.db'])
      if (existsSync(join(scratch, part))) renameSync(join(scratch, part), join(data, part))
    isDone = true
    release()
    try {
      await pullFrom(source, config, { decisions: new Map(), isQuiet: true })
    } catch (error) {
      // The kit is whole; what happened since the copy comes with the next pull.
      process.stderr.write(`cabinet: ${(error as Error).message.split('\n')[0]}\n`)
    }
    process.stderr.write(
      `${data} is the kit ${name} (number ${kit.id}) of ${source.url}; ` +
        `what is made in it has ids from ${Number(kit.id) * IdsOfOne + 1} on\n` +
        (password ? `username ${String(username)}, password in the kit: ${password}\n` : '') +
        `cabinet serve --data ${data} serves it; cabinet push --data ${data} brings it back\n`,
    )
    if (passphrase !== undefined) {
      await lockFolder(data, passphrase)
      process.stderr.write(`it is locked: cabinet kit unlock --data ${data} opens it\n`)
    }
    return 0
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true })
    if (!isDone) {
      release()
      const path = kit && `/api/core/kits/${String(kit.id)}/`
      // Where that fails, it can be deleted there as well.
      if (path) await source.json('DELETE', path, undefined, undefined, true).catch(() => undefined)
      if (lacking !== undefined) rmSync(lacking, { recursive: true, force: true })
    }
  }
}

/** What an error says, or that a clone which was killed may have left the kit whose name is taken. */
async function unlessLeft(source: KitSource, name: string, error: unknown): Promise<unknown> {
  if (!(error instanceof SourceError) || error.body.name === undefined) return error
  const { results } = await source.json('GET', `/api/core/kits/?name=${encodeURIComponent(name)}`)
  const [there] = (results ?? []) as { id: number; created: string; last_seen: string | null }[]
  if (!there || there.last_seen !== null) return error
  return new Error(
    `${source.url} has a kit ${name} already, of ${there.created}, that was never heard of since: where a clone that ` +
      `broke off left it, delete it at ${source.url}/core/kits/${there.id}/ and try again, or give another name with ` +
      '--name',
  )
}

/** Makes a copy a kit; answers the password that its owner gets, since that of the source did not come. */
function furnish(
  config: Config,
  source: KitSource,
  kit: { id: number; name: string; key: string },
  facts: CloneFacts,
  username: string,
  hasSecrets: boolean,
): string | undefined {
  const { database, uploads, peppers } = filesOf(config.data)
  if (existsSync(peppers)) config.peppers = JSON.parse(readFileSync(peppers, 'utf8')) as Record<string, string>
  const store = openStore({ file: database, uploads, config })
  const password = hasSecrets ? undefined : randomBytes(9).toString('base64url')
  try {
    store.commit.now(() => {
      makeKit(store.db, {
        number: kit.id,
        name: kit.name,
        key: kit.key,
        url: source.url,
        there: facts.step,
        there_time: facts.time,
        here: lastStep(store.db),
        sent: 0,
        taken: 0,
        told: store.db.get<{ id: number | null }>('select max(id) as id from core_objectchange')!.id ?? 0,
      })
      for (const table of journaled().keys()) {
        store.db.run('delete from sqlite_sequence where name = ?', table)
        store.db.run('insert into sqlite_sequence (name, seq) values (?, ?)', table, kit.id * IdsOfOne)
      }
    })
    if (password) setPassword(store, username, password)
    // an account is not among what both sides compare, so nothing of this goes back
  } finally {
    store.close()
  }
  return password
}
