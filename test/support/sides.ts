import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { problemsOf, problemsOfRows } from './problems.ts'
import { type Kit, takeKit } from './kit.ts'
import { type Client, launch } from './launch.ts'
import { creating } from './server.ts'

/** Sends a request that must go well; answers its body. */
type Ask = (method: string, path: string, body?: unknown) => Promise<any>
const ask =
  (client: () => Pick<Client, 'call'>): Ask =>
  async (method, path, body) => {
    const reply = await client().call(method, `/api/${path}/`, body)
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }

/**
 * A small lab: one site, a rack, a switch with four ports, a tag, custom fields and a webhook with a secret. Answers
 * ids by name.
 */
async function lab(make: ReturnType<typeof creating>): Promise<Record<string, number>> {
  const parts: Record<string, number> = {}
  parts.site = (await make('dcim/sites', { name: 'Lab', slug: 'lab' })).id
  parts.maker = (await make('dcim/manufacturers', { name: 'Acme', slug: 'acme' })).id
  parts.type = (await make('dcim/device-types', { manufacturer: parts.maker, model: 'S', slug: 's' })).id
  parts.role = (await make('dcim/device-roles', { name: 'Access', slug: 'access' })).id
  parts.rack = (await make('dcim/racks', { name: 'R1', site: parts.site })).id
  parts.tag = (await make('extras/tags', { name: 'Blue', slug: 'blue' })).id
  for (const name of ['floor', 'wing'])
    await make('extras/custom-fields', { name, type: 'text', object_types: ['dcim.site', 'dcim.device'] })
  await make('extras/webhooks', { name: 'hook', payload_url: 'http://127.0.0.1:9/', secret: 'hush-hush-hush' })
  const { site, type: device_type, role } = parts
  parts.a = (await make('dcim/devices', { name: 'sw-a', site, device_type, role })).id
  for (const name of ['p1', 'p2', 'p3', 'p4'])
    parts[name] = (await make('dcim/interfaces', { device: parts.a, name, type: '1000base-t' })).id
  return parts
}

/** A source with a small lab and a kit of it, for the tests of one file. */
export class Sides {
  source!: Client
  kit!: Kit
  /** Ids of what is in the lab, by name. */
  parts: Record<string, number> = {}
  readonly there = ask(() => this.source)
  readonly here = ask(() => this.kit)
  readonly make = (path: string, body: object): Promise<any> => creating(this.source)(path, body)
  readonly makeHere = (path: string, body: object): Promise<any> => creating(this.kit)(path, body)

  constructor() {
    before(async () => {
      this.source = await launch()
      this.parts = await lab(this.make)
      this.kit = await takeKit(this.source, { name: 'van' })
    })
    after(async () => {
      for (const side of [this.source, this.kit]) if (side) assert.deepEqual(problemsOf(side.running.store), [])
      await this.kit?.close()
      await this.source?.close()
    })
  }

  /** The body of a new device in the lab. */
  readonly device = (name: string, more: object = {}): object => ({
    name,
    site: this.parts.site,
    device_type: this.parts.type,
    role: this.parts.role,
    ...more,
  })

  /** Makes custom fields of some models at the source: of text, where they are not said to be of something else. */
  readonly fieldsOf =
    (...object_types: string[]) =>
    (name: string, more: object = {}): Promise<any> =>
      this.make('extras/custom-fields', { name, type: 'text', object_types, ...more })

  /** The body of a cable's end at one interface. */
  readonly end = (object_id: number): object[] => [{ object_type: 'dcim.interface', object_id }]

  /** Conflicts that stand in the kit's file. */
  readonly conflicts = (): any[] =>
    JSON.parse(readFileSync(join(this.kit.data, 'conflicts.json'), 'utf8')).conflicts as any[]

  /** Pushes, and decides every conflict by the file for one side, until it is done. */
  readonly byFile = (take: 'ours' | 'theirs'): Promise<void> => this.inTurn([take])

  /** The same, each conflict for the side whose turn it is; the last side has all that follow. */
  readonly inTurn = async (sides: readonly ('ours' | 'theirs')[]): Promise<void> => {
    let turn = 0
    for (let tries = 0; tries < 5; tries++) {
      if ((await this.kit.sync('push')).code === 0) return
      const conflicts = this.conflicts().map((each) => ({ ...each, take: each.take ?? sides[turn++] ?? sides.at(-1) }))
      writeFileSync(join(this.kit.data, 'conflicts.json'), JSON.stringify({ conflicts }))
    }
    assert.fail(`it never ends: ${JSON.stringify(this.conflicts())}`)
  }

  /** A pull or push that must go well; answers what it said. */
  readonly sync = async (name: 'push' | 'pull', options: Record<string, string | boolean> = {}): Promise<string> => {
    const said = await this.kit.sync(name, options)
    assert.equal(said.code, 0, said.out)
    return said.out
  }

  /** Both sides are sound and hold the same objects at some endpoints. */
  readonly areSame = async (...paths: string[]): Promise<void> => {
    for (const path of paths) {
      const [a, b] = await Promise.all(
        [this.source, this.kit].map(async (client) => {
          const reply = await client.call('GET', `/api/${path}/?limit=0&ordering=id`)
          assert.equal(reply.status, 200, reply.text)
          return reply.json.results.map((each: any) =>
            JSON.stringify({ ...each, last_updated: 0 }).replaceAll(/http:\/\/[\d.:]+/g, ''),
          )
        }),
      )
      assert.deepEqual(b, a, path)
    }
    assert.deepEqual(problemsOfRows(this.source.running.store), [], 'the source')
    assert.deepEqual(problemsOfRows(this.kit.running.store), [], 'the kit')
  }
}
