import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const { call, base } = await serve()
const html = { accept: 'text/html', authorization: '' }

test('a browser logs in, reads, and writes only with the CSRF token', async () => {
  const sent = await call('GET', '/api/dcim/sites/', undefined, html)
  assert.equal(sent.status, 302)
  assert.match(sent.headers.get('location')!, /^\/login\/\?next=/)
  const form = await call('GET', '/login/', undefined, html)
  const token = /csrftoken=([^;]+)/.exec(form.headers.get('set-cookie')!)![1]!
  const post = (fields: Record<string, string>) =>
    fetch(`${base}/login/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: `csrftoken=${token}` },
      body: new URLSearchParams(fields),
    })
  assert.equal((await post({ username: 'admin', password: 'Cabinet-Test-Passw0rd' })).status, 403)
  assert.equal((await post({ username: 'admin', password: 'wrong', csrfmiddlewaretoken: token })).status, 403)
  const entered = await post({
    username: 'admin',
    password: 'Cabinet-Test-Passw0rd',
    csrfmiddlewaretoken: token,
    next: '//evil.example/',
  })
  assert.equal(entered.status, 302)
  assert.equal(entered.headers.get('location'), '/')
  const cookie = `csrftoken=${token}; sessionid=${/sessionid=([^;]+)/.exec(entered.headers.get('set-cookie')!)![1]}`
  const shown = await call('GET', '/api/dcim/sites/', undefined, { ...html, cookie })
  assert.equal(shown.status, 200)
  assert.match(shown.headers.get('content-type')!, /text\/html/)
  const refused = await call('POST', '/api/dcim/sites/', { name: 'A', slug: 'a' }, { authorization: '', cookie })
  assert.deepEqual([refused.status, refused.json.detail], [403, 'CSRF Failed: CSRF token missing.'])
  assert.equal(
    (
      await call(
        'POST',
        '/api/dcim/sites/',
        { name: '<b>', slug: 'a' },
        { authorization: '', cookie, 'x-csrftoken': token },
      )
    ).status,
    201,
  )
  assert.ok(!(await call('GET', '/api/dcim/sites/', undefined, { ...html, cookie })).text.includes('"<b>"'))
  const leave = (body: string) =>
    call('POST', '/logout/', body, {
      authorization: '',
      cookie,
      'content-type': 'application/x-www-form-urlencoded',
    })
  assert.equal((await call('GET', '/logout/', undefined, { ...html, cookie })).status, 404, 'a link does not log out')
  assert.equal((await leave('')).status, 403)
  assert.equal((await call('GET', '/api/dcim/sites/', undefined, { ...html, cookie })).status, 200)
  assert.equal((await leave(`csrfmiddlewaretoken=${token}`)).status, 302)
  assert.equal((await call('GET', '/api/dcim/sites/', undefined, { ...html, cookie })).status, 302)
})

test('a list is a table with its filters, a rack is drawn, and so is what a cable leads to', async () => {
  const make = new Maker(call)
  const [rack, [a, b]] = [
    await make.fresh('dcim.rack'),
    [
      await make.fresh('dcim.interface', { type: '1000base-t' }),
      await make.fresh('dcim.interface', { type: '1000base-t' }),
    ],
  ]
  const end = (id: number) => [{ object_type: 'dcim.interface', object_id: id }]
  const page = async (path: string) => (await call('GET', `/api/${path}`, undefined, { accept: 'text/html' })).text
  assert.match(
    await page('dcim/racks/?limit=1'),
    new RegExp(`<details><summary>Filters.*<td><a href="[^"]+/api/dcim/racks/${rack}/">`, 's'),
  )
  assert.match(await page('dcim/racks/?name=none'), /<details open><summary>Filters/)
  assert.match(await page(`dcim/racks/${rack}/`), /<object [^>]*elevation\/\?face=rear&amp;render=svg"/)
  assert.ok(!(await page(`dcim/interfaces/${a}/`)).includes('<object'))
  assert.equal(
    (await call('POST', '/api/dcim/cables/', { a_terminations: end(a), b_terminations: end(b) })).status,
    201,
  )
  assert.match(await page(`dcim/interfaces/${a}/`), /<object [^>]*trace\/\?render=svg"/)
  assert.ok(!(await page('dcim/racks/9999/')).includes('<object'))
  const shown = (await call('GET', `/api/dcim/racks/${rack}/`)).json
  const led = await call('GET', new URL(shown.display_url).pathname, undefined, { accept: 'text/html' })
  assert.deepEqual([led.status, led.text.includes(`<title>${shown.display} – Cabinet</title>`)], [200, true])
})

test('an image is checked, kept, served to those who are logged in, and goes with its row', async () => {
  await call('POST', '/api/dcim/sites/', { name: 'Pictured', slug: 'pictured' })
  const site = (await call('GET', '/api/dcim/sites/')).json.results[0]
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const send = (bytes: Buffer, file = '../../evil.png', name = 'front') => {
    const form = new FormData()
    for (const [key, value] of Object.entries({ object_type: 'dcim.site', object_id: String(site.id), name }))
      form.set(key, value)
    form.set('image', new File([new Uint8Array(bytes)], file))
    return fetch(`${base}/api/extras/image-attachments/`, {
      method: 'POST',
      headers: { authorization: 'Token 0123456789abcdef0123456789abcdef01234567' },
      body: form,
    })
  }
  assert.equal((await send(Buffer.from('no image'))).status, 400)
  const made = await send(png)
  assert.equal(made.status, 201)
  const attachment = (await made.json()) as { id: number; image: string; image_width: number }
  assert.equal(attachment.image_width, 1)
  assert.match(attachment.image, /\/media\/image-attachments\/site_\d+_front\.png$/)
  const path = new URL(attachment.image).pathname
  assert.equal((await call('GET', path, undefined, { authorization: '' })).status, 302)
  const read = await call('GET', path)
  assert.equal(read.status, 200)
  assert.equal(read.headers.get('content-security-policy'), 'sandbox')
  assert.equal((await call('GET', '/media/..%2fcabinet.db')).status, 404)
  for (const [file, shown] of [
    ['مخطط.png', 'مخطط.png'],
    ['📷.png', 'file.png'],
  ] as const) {
    const { display, image } = (await (await send(png, file, '')).json()) as { display: string; image: string }
    assert.equal(display, shown)
    assert.ok(image.endsWith(`/media/image-attachments/site_${site.id}_${encodeURIComponent(shown)}`), image)
    assert.equal((await call('GET', new URL(image).pathname)).status, 200)
    assert.ok(
      (await call('GET', `/dcim/sites/${site.id}/`, undefined, { accept: 'text/html' })).text.includes(
        `<b>${shown}</b>`,
      ),
    )
  }
  assert.equal((await call('DELETE', `/api/extras/image-attachments/${attachment.id}/`)).status, 204)
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal((await call('GET', path)).status, 404)
})

test('a list that is asked for by its name in the API stands in the menu too', async () => {
  const browser = await login({ base })
  for (const path of ['core/object-changes', 'core/changelog', 'extras/custom-field-choice-sets'])
    assert.match((await browser.get(`/${path}/`)).text, /<nav id="menu"(?:(?!<\/nav>)[\s\S])*aria-current="page"/, path)
})

test('an object that is not there is told of in words, with the list and what became of it', async () => {
  const browser = await login({ base })
  const site = (await call('POST', '/api/dcim/sites/', { name: 'Short', slug: 'short' })).json.id
  await call('DELETE', `/api/dcim/sites/${site}/`)
  const gone = await browser.get(`/dcim/sites/${site}/`)
  assert.equal(gone.status, 404)
  assert.match(gone.text, /There is no such site, or you may not view it\./)
  const [, log] = /href="([^"]+)">What became of it/.exec(gone.text.replaceAll('&amp;', '&'))!
  assert.match((await browser.get(log!)).text, /Deleted/)
  const never = await browser.get('/dcim/sites/987654/edit/')
  assert.equal(never.status, 404)
  assert.match(never.text, /<a class="button primary" href="\/dcim\/sites\/">Sites<\/a>/)
  assert.doesNotMatch(never.text, /What became of it/)
})
