import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tmpdir } from 'node:os'
import fs from 'node:fs'
import { promisify } from 'node:util'
import { remoteFileSystem } from '../../src/store/disk.ts'

test('a file system of another machine is known by its number, one of this machine is none', async () => {
  assert.equal(remoteFileSystem(0x6969), 'NFS')
  for (const type of [0xff534d42, 0xff534d42 | 0])
    assert.equal(remoteFileSystem(type), 'SMB', 'also as a signed number')
  for (const local of [0xef53, 0x58465342, 0x9123683e, 0x794c7630, 0x01021994, 0])
    assert.equal(remoteFileSystem(local), undefined, local.toString(16))
  assert.equal(remoteFileSystem((await promisify(fs.statfs)(tmpdir())).type), undefined)
})
