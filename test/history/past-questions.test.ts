import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { allModels, modelNamed } from '../../src/engine/catalog.ts'
import { Doer } from '../support/history.ts'
import { modelsWithRows } from '../support/states.ts'
import { questionsOf, withOwn } from '../support/questions.ts'
import { Random, seedOf } from '../support/random.ts'
import { serve } from '../support/server.ts'
import { login } from '../support/session.ts'

/** CABINET_TEST_SEED repeats a run; CABINET_TEST_ROUNDS makes it longer. */
const seed = seedOf()
const rounds = Number(process.env.CABINET_TEST_ROUNDS) || 1
const random = new Random(seed)
const client = await serve({ pastCopies: 2 })
const { call } = client
const { store } = client.running
store.db.raw.pragma('synchronous = off')
const admin = await login(client)
const openapi = withOwn((await call('GET', '/api/schema/?format=json')).json)
const pick = <T>(from: readonly T[]): T => from[random.below(from.length)]!
const some = <T>(from: readonly T[], n: number): T[] =>
  Array.from({ length: Math.min(n, from.length) }, () => pick(from))

/** Models whose rows have a past, and that the API lists. */
const kept = allModels.filter((m) => m.path && m.past !== false && m.changeLogged !== false && m.app !== 'users')

/** Ids of some rows of a model. */
const idsOf = (name: string, n: number): number[] =>
  some(
    store.db.all<{ id: number }>(`select id from ${modelNamed(name).table}`).map(({ id }) => id),
    n,
  )

/** What a model shows of single rows in its own ways, and what shows several models together. */
const special = (): string[] => [
  ...idsOf('dcim.rack', 3).flatMap((id) => [
    `/api/dcim/racks/${id}/elevation/?face=front`,
    `/api/dcim/racks/${id}/elevation/?render=svg`,
  ]),
  ...['dcim.interface', 'dcim.powerport', 'dcim.consoleport'].flatMap((name) =>
    idsOf(name, 4).map((id) => `/api/${modelNamed(name).path}/${id}/trace/`),
  ),
  ...idsOf('dcim.frontport', 4).map((id) => `/api/dcim/front-ports/${id}/paths/`),
  ...idsOf('ipam.prefix', 3).flatMap((id) => [
    `/api/ipam/prefixes/${id}/available-ips/`,
    `/api/ipam/prefixes/${id}/available-prefixes/`,
  ]),
  ...idsOf('ipam.iprange', 2).map((id) => `/api/ipam/ip-ranges/${id}/available-ips/`),
  ...idsOf('ipam.asnrange', 2).map((id) => `/api/ipam/asn-ranges/${id}/available-asns/`),
  ...idsOf('ipam.vlangroup', 2).map((id) => `/api/ipam/vlan-groups/${id}/available-vlans/`),
  ...idsOf('dcim.interface', 2).map((id) => `/api/dcim/connected-device/?peer_device=x&peer_interface=${id}`),
  ...idsOf('dcim.device', 2).map((id) => `/api/extras/tagged-objects/?object_id=${id}`),
  ...Object.entries({
    device: 'name status site { name } interfaces { name } tags { slug }',
    cable: 'label terminations { id }',
    prefix: 'prefix vrf { name } scope_id',
    location: 'name parent { name } site { slug }',
  }).map(([name, members]) => `/graphql/?query=${encodeURIComponent(`{ ${name}_list { id ${members} } }`)}`),
  '/api/core/object-changes/?limit=20',
  '/api/dcim/sites/?q=a&limit=5',
]

/** Pages: lists with what they may show and send, objects, and the search. */
const pages = (): string[] => [
  ...some(kept, 6).flatMap((m) => [`/${m.path}/`, `/${m.path}/?export&format=yaml`, `/${m.path}/?export&format=csv`]),
  ...some(kept, 12).flatMap((m) => idsOf(m.name, 1).map((id) => `/${m.path}/${id}/`)),
]

interface Question {
  path: string
  isPage: boolean
}
interface Answer {
  status: number
  text: string
}

const ask = async ({ path, isPage }: Question): Promise<Answer> => {
  if (!isPage) {
    const { status, text } = await call('GET', path)
    return { status, text }
  }
  const { status, text } = await admin.get(path)
  return { status, text }
}

/** Links of a past answer lead to the same moment: those are left out. */
const plain = (text: string, moment: string): string =>
  [moment, encodeURIComponent(moment)].reduce(
    (left, each) =>
      left
        .replaceAll(`at=${each}&amp;`, '')
        .replaceAll(`at=${each}&`, '')
        .replaceAll(new RegExp(`[?&]at=${each}`, 'g'), ''),
    text,
  )

/** Of a page, what its cells say; of an export, all of it. What writes is not offered in the past. */
const said = (text: string): string =>
  text.includes('<!doctype html>')
    ? [...text.matchAll(/<td\b(?![^>]*class="[^"]*actions)[^>]*>(.*?)<\/td>/gs)]
        .map(([, cell]) => cell!.replace(/<[^>]*>/g, ' ').trim())
        .filter((cell) => cell !== '')
        .join('|')
    : text

/** Where two texts part, and what follows in each. */
function differing(a: string, b: string): string {
  let at = 0
  while (a[at] === b[at]) at++
  return [a, b].map((text) => text.slice(Math.max(0, at - 40), at + 80)).join(' ≠ ')
}

test(`whatever is asked of a moment is answered as it was then (seed ${seed})`, async (t) => {
  const doer = new Doer(client, random)
  await doer.begin()
  for (let i = 0; i < 80; i++) await doer.one()
  const counts = { moments: 0, asked: 0, answered: 0 }
  const taken: { moment: string; answers: [Question, Answer][] }[] = []
  for (let i = 0; i < 3 * rounds; i++) {
    for (let n = 0; n < 20; n++) await doer.one()
    await wait(5)
    const moment = new Date().toISOString()
    await wait(5)
    const questions: Question[] = []
    for (const m of some(kept, 40)) {
      const [id] = idsOf(m.name, 1)
      const row = id === undefined ? undefined : (await call('GET', `/api/${m.path}/${id}/`)).json
      for (const path of some(questionsOf(openapi, m, row ?? {}), 8)) questions.push({ path, isPage: false })
    }
    for (const path of special()) questions.push({ path, isPage: false })
    for (const path of pages()) questions.push({ path, isPage: true })
    const answers: [Question, Answer][] = []
    for (const question of questions) answers.push([question, await ask(question)])
    taken.push({ moment, answers })
    counts.moments++
  }
  for (let n = 0; n < 20; n++) await doer.one()
  const wrong: string[] = []
  for (const { moment, answers } of taken.sort(() => random.below(3) - 1))
    for (const [question, { status, text }] of answers) {
      const path = `${question.path}${question.path.includes('?') ? '&' : '?'}at=${moment}`
      const now = await ask({ ...question, path })
      if (now.status !== status) wrong.push(`${path}: ${status}, ${now.status}: ${now.text.slice(0, 300)}`)
      counts.asked++
      if (status >= 300) continue
      counts.answered++
      const [is, was] = [plain(now.text, moment), text]
      const [shown, then] = question.isPage ? [said(is), said(was)] : [is, was]
      if (shown !== then) wrong.push(`${path}: ${differing(then, shown)}`)
    }
  assert.deepEqual(wrong, [])
  t.diagnostic(`seed ${seed}: ${JSON.stringify(counts)}, ${modelsWithRows(store)} models`)
})
