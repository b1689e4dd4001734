import assert from 'node:assert/strict'
import { createApp } from '../../src/server/app.ts'
import { CustomFields } from '../../src/store/custom-fields.ts'
import { openStore } from '../../src/store/open.ts'
import { Reader } from '../../src/store/reader.ts'

/** A request as it is passed between processes. */
export interface Asked {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}
export interface Told {
  status: number
  text: string
}

/** A process on the data of a running server, which remembers nothing from one request to the next. */
const { file, uploads, config } = JSON.parse(process.argv[2]!)
const store = openStore({ file, uploads, config })
let last = store.reader
Object.defineProperty(store, 'reader', {
  get: () => {
    last.close()
    last = new Reader(store.db, new CustomFields(store.db), () => assert.fail('nothing lives long enough to be listed'))
    return last
  },
})
const app = createApp(store, config)

process.on('message', async (asked: Asked[]) => {
  const told: Told[] = []
  for (const { url, ...request } of asked) {
    const response = await app.fetch(new Request(url, request))
    told.push({ status: response.status, text: await response.text() })
  }
  process.send!(told)
})
process.on('disconnect', () => process.exit(0))
process.send!('ready')
