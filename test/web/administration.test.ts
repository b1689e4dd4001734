import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteBackup } from '../../src/store/data-folder.ts'
import { Maker } from '../support/maker.ts'
import { receive } from '../support/receiver.ts'
import { creating, serve } from '../support/server.ts'
import { fieldsIn, login, loginAs } from '../support/session.ts'

const client = await serve({ webhookDeniedNetworks: [] })
const create = creating(client)
const admin = await login(client)
const Password = 'Plain-User-Passw0rd'
const north = await create('dcim/regions', { name: 'North', slug: 'north' })
for (const [name, region] of [
  ['Oslo', north.id],
  ['Bergen', north.id],
  ['Rome', null],
] as const)
  await create('dcim/sites', { name, slug: name.toLowerCase(), region })

test('the form of a permission has boxes for actions, and keeps the others', async () => {
  const fields = { name: 'Net', enabled: 'true', object_types: ['dcim.site'], constraints: '', groups: [], users: [] }
  const added = await admin.post('/users/permissions/add/', { ...fields, actions: ['view', 'change', 'sync, render'] })
  assert.equal(added.status, 303, added.text)
  const id = /(\d+)\/$/.exec(added.location!)![1]
  const kept = async () => (await client.call('GET', `/api/users/permissions/${id}/`)).json
  assert.deepEqual((await kept()).actions, ['view', 'change', 'sync', 'render'])
  const form = (await admin.get(`/users/permissions/${id}/edit/`)).text
  assert.deepEqual(fieldsIn(form).actions, ['view', 'change', 'sync, render'])
  assert.equal((await admin.post(`/users/permissions/${id}/edit/`, fieldsIn(form))).status, 303)
  assert.deepEqual((await kept()).actions, ['view', 'change', 'sync', 'render'])
  const none = await admin.post('/users/permissions/add/', { ...fields, actions: [''] })
  assert.equal(none.status, 400)
  assert.match((await admin.get('/users/permissions/')).text, /Can view/)
})

test('constraints are tried out before anything is saved: counts, samples, and what is wrong', async () => {
  const ask = (constraints: string, more = {}) =>
    admin.post('/users/permissions/add/', {
      name: 'Tried',
      object_types: ['dcim.site', 'dcim.manufacturer'],
      actions: ['view'],
      constraints,
      _redraw: '1',
      ...more,
    })
  const found = await ask('{"region__slug": "north"}')
  assert.equal(found.status, 200)
  assert.match(found.text, /Sites<\/a><\/th><td class="number">2 of 3<\/td><td>[^\n]*Bergen[^\n]*Oslo/)
  assert.match(found.text, /These constraints allow none: no attribute region__slug/, 'manufacturers have no region')
  assert.match(found.text, /value="Tried"/, 'what was typed stays')
  assert.match((await ask('{"name": ')).text, /This is no JSON/)
  assert.match((await ask('')).text, /3 of 3/)
  assert.match((await ask('{"name": "<b>"}')).text, /0 of 3/)
  const { json } = await client.call('GET', '/api/users/permissions/?name=Tried')
  assert.equal(json.count, 0, 'nothing was saved')
  const saved = await create('users/permissions', {
    name: 'Kept',
    object_types: ['dcim.site'],
    actions: ['view'],
    constraints: { name: 'Rome' },
  })
  assert.match((await admin.get(`/users/permissions/${saved.id}/try/`)).text, /1 of 3<\/td><td><a[^>]*>Rome/)
})

test('who administers permissions tries them on what they see themselves', async () => {
  const { id } = await create('users/users', { username: 'deputy', password: Password })
  await create('users/permissions', {
    name: 'administers',
    object_types: ['users.objectpermission'],
    actions: ['view', 'add', 'change'],
    users: [id],
  })
  await create('users/permissions', {
    name: 'one site',
    object_types: ['dcim.site'],
    actions: ['view'],
    constraints: { name: 'Rome' },
    users: [id],
  })
  const deputy = await login(client, 'deputy', Password)
  const tried = await deputy.post('/users/permissions/add/', {
    name: 'x',
    object_types: ['dcim.site', 'dcim.rack'],
    actions: ['view'],
    constraints: '',
    _redraw: '1',
  })
  assert.match(tried.text, /1 of 1/)
  assert.doesNotMatch(tried.text, /Oslo/)
  assert.match(tried.text, /You may not view these yourself/)
  const refused = await deputy.post('/users/permissions/add/', {
    name: 'more',
    object_types: ['dcim.rack'],
    actions: ['view'],
    constraints: '',
  })
  assert.equal(refused.status, 403, 'nobody gives what they do not hold')
})

test('the access of a user is shown with what their groups give; only superusers make superusers', async () => {
  const group = await create('users/groups', { name: 'Readers' })
  const { id } = await create('users/users', { username: 'member', password: Password, groups: [group.id] })
  await create('users/permissions', {
    name: 'by group',
    object_types: ['ipam.vlan'],
    actions: ['view', 'tag'],
    groups: [group.id],
  })
  const at = `/users/users/${id}/access/`
  const access = await admin.get(at)
  assert.match(access.text, /VLANs <small>ipam<\/small>/)
  const deputy = await login(client, 'deputy', Password)
  assert.notEqual((await deputy.post(at, { superuser: 'true' })).status, 303)
  assert.equal((await admin.post(at, { superuser: 'true' })).status, 303)
  assert.match((await admin.get(at)).text, /may do everything/)
  assert.equal((await admin.post(at, { superuser: 'false' })).status, 303)
  const own = (await client.call('GET', '/api/users/users/?username=admin')).json.results[0].id
  assert.equal((await admin.post(`/users/users/${own}/access/`, { superuser: 'false' })).status, 409, 'the only one')
})

test('the form of a user asks for a password twice, and superusers who else is one', async () => {
  const stored = (username: string) =>
    client.running.store.db.get<{ id: number; is_superuser: number }>(
      'select id, is_superuser from users_user where username = ?',
      username,
    )
  const form = '/users/users/add/'
  const empty = fieldsIn((await admin.get(form)).text)
  const twice = (fields: object) => admin.post(form, { ...empty, username: 'twice', password: Password, ...fields })
  for (const confirm_password of ['', `${Password}!`]) {
    const refused = await twice({ confirm_password })
    assert.deepEqual([refused.status, /<a href="#f-confirm_password">/.test(refused.text)], [400, true])
  }
  assert.equal(stored('twice'), undefined)
  assert.equal((await twice({ confirm_password: Password, is_superuser: 'true' })).status, 303)
  const { id, is_superuser } = stored('twice')!
  assert.equal(is_superuser, 1)

  const edit = `/users/users/${id}/edit/`
  const shown = fieldsIn((await admin.get(edit)).text)
  assert.deepEqual(shown.is_superuser, ['true'])
  assert.doesNotMatch((await admin.get(edit)).text, /name="confirm_password__clear"/)
  assert.equal((await admin.post(edit, { ...shown, first_name: 'Kept' })).status, 303)
  assert.equal(stored('twice')!.is_superuser, 1)
  assert.equal((await admin.post(edit, { ...shown, is_superuser: [] })).status, 303)
  assert.equal(stored('twice')!.is_superuser, 0)
  const own = `/users/users/${stored('admin')!.id}/edit/`
  const last = await admin.post(own, { ...fieldsIn((await admin.get(own)).text), is_superuser: [] })
  assert.deepEqual([last.status, /only superuser/.test(last.text), stored('admin')!.is_superuser], [400, true, 1])

  const keeper = await loginAs(client, 'keeper', [[['users.user'], ['view', 'add', 'change']]])
  assert.doesNotMatch((await keeper.get(edit)).text, /name="is_superuser"/)
  for (const [at, username] of [
    [edit, 'twice'],
    [form, 'other'],
  ] as const) {
    const fields = { ...fieldsIn((await keeper.get(at)).text), username, password: '', confirm_password: '' }
    const typed = at === form ? { password: Password, confirm_password: Password } : {}
    const raised = await keeper.post(at, { ...fields, ...typed, is_superuser: 'true', _superuser_shown: 'false' })
    assert.equal(raised.status, 403, raised.text.slice(0, 300))
  }
  assert.deepEqual([stored('twice')!.is_superuser, stored('other')], [0, undefined])
})

test('the form of a group says who is in it, to who may change them', async () => {
  const user = async (username: string): Promise<number> =>
    (await create('users/users', { username, password: Password })).id
  const [first, second, third] = [await user('first'), await user('second'), await user('third')]
  const made = await admin.post('/users/groups/add/', { name: 'Crew', users: [`${first}`, 'second'] })
  assert.equal(made.status, 303, made.text.slice(0, 300))
  const group = (await client.call('GET', '/api/users/groups/?name=Crew')).json.results[0]
  assert.equal(group.user_count, 2)
  const at = `/users/groups/${group.id}/edit/`
  const form = async (session = admin) => fieldsIn((await session.get(at)).text)
  assert.deepEqual([...((await form()).users as string[])].sort(), [`${first}`, `${second}`])
  const members = async (): Promise<number[]> =>
    (await client.call('GET', `/api/users/users/?group_id=${group.id}&ordering=id`)).json.results.map(
      (each: { id: number }) => each.id,
    )
  assert.equal((await admin.post(at, await form())).status, 303)
  assert.deepEqual(await members(), [first, second], 'a form that is sent as it was shown changes nothing')
  const other = await create('users/groups', { name: 'Others' })
  await client.call('PATCH', `/api/users/users/${third}/`, { groups: [other.id] })
  assert.equal((await admin.post(at, { ...(await form()), users: [`${second}`, `${third}`] })).status, 303)
  assert.deepEqual(await members(), [second, third])
  const seen = await form()
  const late = await user('late')
  await client.call('PATCH', `/api/users/users/${late}/`, { groups: [group.id] })
  assert.equal((await admin.post(at, { ...seen, description: 'x' })).status, 303)
  assert.deepEqual(await members(), [second, third, late], 'who came since the form was made stays')
  await client.call('DELETE', `/api/users/users/${late}/`)
  const groupsOf = async (id: number) =>
    (await client.call('GET', `/api/users/users/${id}/`)).json.groups.map((each: { name: string }) => each.name)
  assert.deepEqual((await groupsOf(third)).sort(), ['Crew', 'Others'])
  assert.equal((await admin.post(at, { ...(await form()), users: ['987654'] })).status, 400)

  // Who may change one user alone, and holds nothing that a group gives.
  const chief = await loginAs(client, 'chief', [
    [['users.group'], ['view', 'change']],
    [['users.user'], ['view', 'change'], { username__in: ['first', 'second'] }],
  ])
  assert.deepEqual((await form(chief)).users, [`${second}`], 'those that they may view')
  const none = await chief.post(at, { ...(await form(chief)), users: [] })
  assert.equal(none.status, 303, none.text.slice(0, 300))
  assert.deepEqual(await members(), [third], 'who is not shown stays')
  await create('users/permissions', {
    name: 'crew',
    object_types: ['dcim.rack'],
    actions: ['view'],
    groups: [group.id],
  })
  const more = await chief.post(at, { ...(await form(chief)), users: [`${first}`] })
  assert.equal(more.status, 403, 'nobody gives what they do not hold')
  assert.deepEqual(await members(), [third])
  const clerk = await loginAs(client, 'clerk', [
    [['users.group', 'users.user'], ['view']],
    [['users.group'], ['change']],
  ])
  assert.equal((await form(clerk)).users, undefined)
  assert.equal((await clerk.post(at, { ...(await form(clerk)), description: 'x' })).status, 303)
  assert.deepEqual(await members(), [third])
})

test('the system page is for superusers, and shows no secret', async () => {
  const page = await admin.get('/core/system/')
  assert.equal(page.status, 200)
  assert.match(page.text, /Write-ahead log/)
  assert.doesNotMatch(page.text, /PEPPERS/i)
  assert.equal((await (await login(client, 'deputy', Password)).get('/core/system/')).status, 403)
})

test('a tag shows what has it, of what the user may see', async () => {
  const tag = await create('extras/tags', { name: 'Core', slug: 'core' })
  const sites = (await client.call('GET', '/api/dcim/sites/')).json.results
  for (const { id } of sites.slice(0, 2))
    await client.call('PATCH', `/api/dcim/sites/${id}/`, { tags: [{ slug: 'core' }] })
  const page = await admin.get(`/extras/tags/${tag.id}/objects/`)
  assert.match(page.text, /href="\/dcim\/sites\/\?tag=core">Sites<\/a><\/th><td class="number">2/)
})

test('a webhook sends a test, and its deliveries are listed', async () => {
  const receiver = await receive()
  const hook = await create('extras/webhooks', { name: 'Chat', payload_url: receiver.url })
  const at = `/extras/webhooks/${hook.id}/deliveries/`
  assert.match((await admin.get(at)).text, /Nothing was sent yet/)
  assert.equal((await admin.post(at, {})).status, 303)
  const [sent] = await receiver.until(1)
  assert.equal(JSON.parse(sent!.body).event, 'test')
  assert.match((await admin.get(at)).text, /Test of Chat/)
  assert.notEqual((await (await login(client, 'deputy', Password)).post(at, {})).status, 303)
})

test('a delivery that failed is sent again as a new one, by who may change the webhook', async () => {
  const receiver = await receive()
  receiver.answer = () => 500
  const strict = await serve({ webhookDeniedNetworks: [], webhookRetries: 0 })
  const [own, make] = [await login(strict), creating(strict)]
  const hook = await make('extras/webhooks', { name: 'Pager', payload_url: receiver.url })
  const at = `/extras/webhooks/${hook.id}/deliveries/`
  await own.post(at, {})
  await receiver.until(1)
  const offered = async (path: string) => {
    for (let i = 0; i < 100; i++) {
      const found = /name="again" value="(\d+)"/.exec((await own.get(path)).text)?.[1]
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return undefined
  }
  const failed = await offered(at)
  assert.ok(failed, 'a failed delivery has a button')
  assert.equal(await offered(`/core/jobs/${failed}/`), failed, 'on its own page too')
  receiver.answer = () => 200
  const forged = await fetch(strict.base + at, {
    method: 'POST',
    headers: { cookie: own.cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: `again=${failed}`,
  })
  assert.equal(forged.status, 403)
  await make('users/users', { username: 'reader', password: Password }).then(({ id }) =>
    make('users/permissions', {
      name: 'R',
      object_types: ['extras.webhook', 'core.job'],
      actions: ['view'],
      users: [id],
    }),
  )
  const reader = await login(strict, 'reader', Password)
  assert.doesNotMatch((await reader.get(`/core/jobs/${failed}/`)).text, /name="again"/)
  assert.equal((await reader.post(at, { again: failed })).status, 403)
  assert.equal(receiver.received.length, 1)
  assert.equal((await own.post(at, { again: failed })).status, 303)
  const [first, second] = await receiver.until(2)
  assert.equal(second!.body, first!.body)
  assert.notEqual(second!.headers['x-hook-delivery'], first!.headers['x-hook-delivery'])
  // Only what failed, and no more than once more each time.
  for (const again of ['0', 'x', '99999', failed]) assert.equal((await own.post(at, { again })).location, at)
  const jobs = (await strict.call('GET', '/api/core/jobs/?status=completed')).json
  assert.ok(jobs.count >= 1)
  assert.ok(!('attempts' in JSON.parse(JSON.stringify(jobs.results[0].data))) || jobs.results[0].data.attempts === 1)
  const other = await make('extras/webhooks', { name: 'Other', payload_url: receiver.url })
  const before = (await strict.call('GET', '/api/core/jobs/')).json.count
  await own.post(`/extras/webhooks/${other.id}/deliveries/`, { again: failed })
  assert.equal((await strict.call('GET', '/api/core/jobs/')).json.count, before, 'not by another webhook')
})

test('the system page tells of the last backup', async () => {
  assert.match((await admin.get('/core/system/')).text, /Last backup<\/dt><dd>none</)
  noteBackup(client.data, { made: '2026-01-02T03:04:05.000000Z', file: '/<backups>/a', bytes: 2048 })
  assert.match((await admin.get('/core/system/')).text, /2026-01-02 03:04<\/time>, 2 kB, <code>\/&lt;backups&gt;\/a</)
})

test('a custom field with choices is made with the form alone', async () => {
  const set = await create('extras/custom-field-choice-sets', { name: 'Levels', extra_choices: [['a', 'Alpha']] })
  const made = await admin.post('/extras/custom-fields/add/', {
    name: 'level',
    type: 'select',
    object_types: ['dcim.site'],
    choice_set: String(set.id),
    search_weight: '1000',
    filter_logic: 'loose',
    ui_visible: 'always',
    ui_editable: 'yes',
    weight: '100',
  })
  assert.equal(made.status, 303, /class="error"[^>]*>[^<]*|role="alert"[\s\S]*?<\/div>/.exec(made.text)?.[0])
})

test('a custom link and a config template are tried on objects before people meet them', async () => {
  const link = await create('extras/custom-links', {
    name: 'Wiki',
    object_types: ['dcim.site'],
    link_text: 'Wiki <i> {{ object.name }}',
    link_url: 'https://wiki.example/{{ object.slug }}',
  })
  const shown = (await admin.get(`/extras/custom-links/${link.id}/preview/`)).text
  assert.match(shown, /Wiki &lt;i&gt; Bergen<\/td><td>https:\/\/wiki\.example\/bergen/)
  const broken = await create('extras/custom-links', {
    name: 'Broken',
    object_types: ['dcim.site'],
    link_text: '{{ object.name | nothing }}',
    link_url: 'x',
  })
  assert.match((await admin.get(`/extras/custom-links/${broken.id}/preview/`)).text, /class="error"/)
  const template = await create('extras/config-templates', {
    name: 'Base',
    template_code: 'hostname {{ device.name }}',
  })
  const device = await new Maker(client.call).fresh('dcim.device', { name: 'edge-<1>' })
  const at = `/extras/config-templates/${template.id}/render/`
  assert.match((await admin.get(at)).text, /Choose a device/)
  assert.match((await admin.get(`${at}?device=${device}`)).text, /<code>hostname edge-&lt;1&gt;<\/code>/)
  assert.match((await admin.get(`${at}?device=99999`)).text, /There is no such object/)
})

test('where views are open to everybody, a reader without a session sees them, and where to log in', async () => {
  const open = await serve({ loginRequired: false, exemptViewPermissions: ['dcim.site'] })
  await creating(open)('dcim/sites', { name: 'Public', slug: 'public' })
  const read = (path: string) => fetch(open.base + path, { redirect: 'manual', headers: { accept: 'text/html' } })
  for (const path of ['/', '/dcim/sites/']) {
    const page = await read(path)
    assert.equal(page.status, 200, path)
    const text = await page.text()
    assert.match(text, /href="\/login\/\?next=/)
    assert.doesNotMatch(text, /id="bell"/)
  }
  for (const path of ['/user/profile/', '/user/api-tokens/', '/dcim/devices/', '/core/system/'])
    assert.equal((await read(path)).status, 302, path)
})

test('export and config templates are tried out before and after they are saved', async () => {
  const site = await create('dcim/sites', { name: 'Tried <out>', slug: 'tried-out' })
  const fields = { name: 'lines', object_types: ['dcim.site'], as_attachment: 'true' }
  const code = (text: string, more = {}) => ({ ...fields, template_code: text, ...more })
  const loop = '{% for s in queryset %}[{{ s.slug }}]{% endfor %}'
  const tried = await admin.post('/extras/export-templates/add/', { ...code(loop), _redraw: '1' })
  assert.equal(tried.status, 200)
  assert.match(tried.text, /<code>[^<]*\[tried-out\]/)
  assert.match(tried.text, /name="template_code"[^>]*>\{% for s in queryset %\}/)
  assert.equal((await client.call('GET', '/api/extras/export-templates/?name=lines')).json.count, 0, 'nothing is saved')
  const broken = await admin.post('/extras/export-templates/add/', { ...code('{{ queryset'), _redraw: '1' })
  assert.match(broken.text, /role="alert">[^<]*could not be rendered/)
  const odd = { ...code(loop, { environment_params: '{"loader": "x"}' }), _redraw: '1' }
  assert.match((await admin.post('/extras/export-templates/add/', odd)).text, /Unsupported environment parameter/)
  const template = await create('extras/export-templates', { ...fields, as_attachment: true, template_code: loop })
  const page = (await admin.get(`/extras/export-templates/${template.id}/trial/`)).text
  assert.match(page, /<code>[^<]*\[tried-out\]/)

  const kind = { manufacturer: (await create('dcim/manufacturers', { name: 'Tm', slug: 'tm' })).id }
  const device = await create('dcim/devices', {
    name: 'tried1',
    site: site.id,
    role: (await create('dcim/device-roles', { name: 'Tr', slug: 'tr' })).id,
    device_type: (await create('dcim/device-types', { ...kind, model: 'Tt', slug: 'tt' })).id,
    local_context_data: { ntp: '10.0.0.1' },
  })
  const config = { name: 'conf', template_code: '{{ device.site.name }} {{ ntp }}', _redraw: '1' }
  const made = await admin.post('/extras/config-templates/add/', { ...config, _device: String(device.id) })
  assert.match(made.text, /<code>Tried &lt;out&gt; 10\.0\.0\.1<\/code>/)
  assert.match((await admin.post('/extras/config-templates/add/', config)).text, /Choose a device/)
  const types = ['extras.configtemplate', 'extras.exporttemplate']
  const { id } = await create('users/users', { username: 'trier', password: 'Cabinet-Test-Passw0rd' })
  const grant = { object_types: types, actions: ['view', 'add'], users: [id] }
  await create('users/permissions', { name: 'trier', ...grant })
  const trier = await login(client, 'trier')
  const refused = await trier.post('/extras/config-templates/add/', { ...config, _device: String(device.id) })
  assert.match(refused.text, /You may not render/)
  assert.doesNotMatch(refused.text, /tried1|10\.0\.0\.1/)
  const unseen = await trier.post('/extras/export-templates/add/', { ...code(loop), _redraw: '1' })
  assert.match(unseen.text, /You may not view these/)
})
