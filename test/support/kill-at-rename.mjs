// Has a process be killed at its rename number CABINET_TEST_RENAME, as by the loss of power: `node --import` this.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const rename = fs.renameSync
let count = 0
fs.renameSync = (...paths) => {
  if (++count >= Number(process.env.CABINET_TEST_RENAME)) process.kill(process.pid, 'SIGKILL')
  rename(...paths)
}
syncBuiltinESMExports()
