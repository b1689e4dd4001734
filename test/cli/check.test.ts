import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../src/lib/addons.ts'
import { ask, cabledDevice, run, scratch, start } from '../support/cli.ts'

const data = join(scratch(), 'data')

/** Changes the database behind the server's back. */
function damage(sql: string): void {
  const db = openDatabase(join(data, 'cabinet.db'))
  db.pragma('foreign_keys = off')
  db.exec(sql)
  db.close()
}

test('uploaded files that are gone are named by check and by a backup that is proved', async () => {
  const [lacking, file] = [join(data, '../lacking'), join(data, '../lacking.backup')]
  await (await start(lacking)).end('SIGTERM')
  const db = openDatabase(join(lacking, 'cabinet.db'))
  db.exec(`insert into extras_imageattachment (object_type, object_id, image, name, created, last_updated)
    values ('dcim.site', 1, 'image-attachments/there.png', '', '2026', '2026'),
      ('dcim.site', 1, 'image-attachments/gone.png', '', '2026', '2026')`)
  db.close()
  mkdirSync(join(lacking, 'uploads/image-attachments'))
  writeFileSync(join(lacking, 'uploads/image-attachments/there.png'), 'x')
  const named = 'extras.imageattachment 2, image: image-attachments/gone.png'
  const checked = await run(['check', '--data', lacking])
  assert.match(checked.stdout, new RegExp(`^uploads: warning, 1 missing\n  ${named}\n`, 'm'))
  const { code, stderr } = await run(['backup', file, '--verify', '--data', lacking])
  assert.deepEqual(
    [code, existsSync(file), stderr.includes(`missing, in the data folder too: ${named}\n`)],
    [4, true, true],
  )
  writeFileSync(join(lacking, 'uploads/image-attachments/gone.png'), 'x')
  assert.match((await run(['check', '--data', lacking])).stdout, /^uploads: ok$/m)
  assert.deepEqual(await run(['backup', file, '--verify', '--data', lacking]), { code: 0, stdout: '', stderr: '' })
})

test('check finds damage, repairs what can be derived and says what is left', async () => {
  const server = await start(data)
  const parent = await ask(server.base, 'POST', '/api/dcim/regions/', { name: 'Europe', slug: 'europe' })
  await ask(server.base, 'POST', '/api/dcim/regions/', { name: 'Alps', slug: 'alps', parent: parent.json.id })
  await ask(server.base, 'POST', '/api/dcim/sites/', { name: 'Lab', slug: 'lab', region: { slug: 'alps' } })
  await cabledDevice(server.base)
  const sound = await run(['check', '--data', data])
  assert.deepEqual([sound.code, sound.stderr], [0, ''])
  assert.ok(
    sound.stdout
      .trim()
      .split('\n')
      .every((line) => line.endsWith(': ok')),
    sound.stdout,
  )
  await server.end('SIGTERM')

  damage("update dcim_region set _depth = 7 where slug = 'alps'")
  const found = await run(['check', '--data', data])
  assert.equal(found.code, 1)
  assert.match(found.stdout, /^trees: 1 wrong\n {2}dcim\.region \d+: /m)
  const repaired = await run(['check', '--repair', '--data', data])
  assert.equal(repaired.code, 0)
  assert.match(repaired.stdout, /^trees: 1 wrong, 1 repaired$/m)
  assert.equal((await run(['check', '--data', data])).code, 0)

  damage("update dcim_cablepath set is_complete = 0, destinations = '[]' where id = 1")
  assert.match((await run(['check', '--repair', '--data', data])).stdout, /^cabling: 1 wrong, 1 repaired$/m)
  assert.equal((await run(['check', '--data', data])).code, 0)

  const names = () => {
    const db = openDatabase(join(data, 'cabinet.db'))
    const columns = (db.pragma('table_info(dcim_device)') as { name: string }[]).map(({ name }) => name)
    db.close()
    return columns.filter((name) => name !== 'id').join(', ')
  }
  damage(`insert into dcim_device (${names()}) select ${names()} from dcim_device where id = 1`)
  damage('update dcim_device set name = upper(name) where id = (select max(id) from dcim_device)')
  const same = await run(['check', '--repair', '--data', data])
  assert.equal(same.code, 1)
  assert.match(
    same.stdout,
    /^names: 1 wrong\n {2}dcim\.device 1, \d+: Device with this .* already exists\.\n {2}rename/m,
  )
  damage('delete from dcim_device where id = (select max(id) from dcim_device)')
  assert.match((await run(['check', '--repair', '--data', data])).stdout, /^names: ok$/m)

  damage('update dcim_site set region_id = 999')
  const broken = await run(['check', '--repair', '--data', data])
  assert.equal(broken.code, 1)
  assert.match(broken.stdout, /^references: 1 wrong\n {2}dcim_site \d+ /m)
})
