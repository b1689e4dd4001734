import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { mock, test } from 'node:test'
import { defaults } from '../../src/config.ts'
import { finish, listen, serverOf } from '../../src/server/listening.ts'

test('a connection that is kept alive is answered, and does not hold up the end of a server', async () => {
  const config = { ...defaults(), listen: '127.0.0.1:0' }
  let take: (response: ServerResponse) => void
  const taken = new Promise<ServerResponse>((resolve) => {
    take = resolve
  })
  const server = serverOf(config, (_request, response) => take(response))
  const { port } = await listen(server, config)
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const said = text(socket)
  const response = await taken
  mock.timers.enable({ apis: ['setTimeout'] }) // the deadline at which all connections are closed never comes
  const finished = finish(server)
  response.end('answer')
  await finished
  mock.timers.reset()
  assert.match(await said, /^HTTP\/1\.1 200 .*answer/s)
})
