import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'

const { call } = await serve()
const post = creating({ call })
const template = (name: string, template_code: string, more: object = {}) =>
  post('extras/config-templates', { name, template_code, ...more })

const site = await post('dcim/sites', { name: 'S', slug: 's' })
const [forRole, forPlatform, forDevice] = [
  await template('role', 'role'),
  await template('platform', 'platform'),
  await template('device', '{{ device.name }} {{ device.status }} {{ device.site.slug }} {{ ntp }} {{ extra }}'),
]
const role = await post('dcim/device-roles', { name: 'R', slug: 'r' })
const platform = await post('dcim/platforms', { name: 'P', slug: 'p' })
const maker = await post('dcim/manufacturers', { name: 'M', slug: 'm' })
const type = await post('dcim/device-types', { manufacturer: maker.id, model: 'X', slug: 'x' })
const device = await post('dcim/devices', {
  name: 'd',
  site: site.id,
  role: role.id,
  device_type: type.id,
  platform: platform.id,
  local_context_data: { ntp: 'n1', extra: 'context' },
})
const machine = await post('virtualization/virtual-machines', { name: 'v', site: site.id })
const renderConfig = `/api/dcim/devices/${device.id}/render-config/`

const user = await post('users/users', { username: 'eve', password: 'Cabinet-Test-Passw0rd' })
const token = await post('users/tokens', { user: user.id })
const eve = { authorization: `Bearer nbt_${token.key}.${token.token}` }
const grant = (name: string, type: string, action: string, constraints: object | null = null) =>
  post('users/permissions', { name, object_types: [type], actions: [action], constraints, users: [user.id] })

test("render-config: own template, then the role's, then the platform's; or the one asked for", async () => {
  const missing = await call('POST', renderConfig, {})
  assert.deepEqual([missing.status, Object.keys(missing.json)], [400, ['error']])
  await call('PATCH', `/api/dcim/platforms/${platform.id}/`, { config_template: forPlatform.id })
  assert.equal((await call('POST', renderConfig, {})).json.content, 'platform')
  await call('PATCH', `/api/dcim/device-roles/${role.id}/`, { config_template: forRole.id })
  assert.equal((await call('POST', renderConfig, {})).json.content, 'role')
  await call('PATCH', `/api/dcim/devices/${device.id}/`, { config_template: forDevice.id })
  const own = await call('POST', renderConfig, { extra: 'body' })
  assert.deepEqual(own.json, {
    configtemplate: { id: forDevice.id, url: forDevice.url, display: 'device', name: 'device', description: '' },
    content: 'd active s n1 body',
  })
  assert.equal((await call('POST', renderConfig, { config_template_id: forRole.id })).json.content, 'role')
  assert.equal((await call('POST', renderConfig, { config_template_id: 999 })).status, 400)
  assert.equal((await call('POST', renderConfig, [])).status, 400)
})

test('plain text where it is asked for', async () => {
  for (const reply of [
    await call('POST', renderConfig, {}, { accept: 'text/plain' }),
    await call('POST', `${renderConfig}?format=txt`, {}),
    await call('POST', `/api/extras/config-templates/${forRole.id}/render/`, {}, { accept: 'text/plain' }),
  ]) {
    assert.equal(reply.headers.get('content-type'), 'text/plain; charset=utf-8')
  }
  assert.equal((await call('POST', `${renderConfig}?format=txt`, {})).text, 'd active s n1 context')
  assert.equal((await call('POST', `${renderConfig}?format=nope`, {})).status, 404)
})

test('a template that fails says why with 400', async () => {
  const bad = await template('bad', 'a {{ nope }}')
  const reply = await call('POST', `/api/extras/config-templates/${bad.id}/render/`, {})
  assert.deepEqual([reply.status, Object.keys(reply.json)], [400, ['detail']])
  assert.match(reply.json.detail, /undefined/)
  assert.equal((await call('POST', `/api/extras/config-templates/${bad.id}/render/`, { nope: 1 })).json.content, 'a 1')
})

test('rendering asks for its own permission, on the object too', async () => {
  const code = `/api/extras/config-templates/${forRole.id}/render/`
  assert.equal((await call('POST', code, {}, eve)).status, 404)
  await grant('view devices', 'dcim.device', 'view')
  assert.equal((await call('POST', renderConfig, {}, eve)).status, 404)
  await grant('render other devices', 'dcim.device', 'render_config', { name: 'other' })
  assert.equal((await call('POST', renderConfig, {}, eve)).status, 404)
  await grant('render devices', 'dcim.device', 'render_config')
  assert.equal((await call('POST', renderConfig, {}, eve)).status, 200)
  assert.equal((await call('POST', renderConfig, { config_template_id: forRole.id }, eve)).status, 400)
  await grant('render templates', 'extras.configtemplate', 'render')
  assert.equal((await call('POST', code, {}, eve)).status, 404)
})

test('virtual machines are `virtualmachine`', async () => {
  const own = await template('machine', '{{ virtualmachine.name }} {{ virtualmachine.site.name }}')
  await call('PATCH', `/api/virtualization/virtual-machines/${machine.id}/`, { config_template: own.id })
  assert.equal(
    (await call('POST', `/api/virtualization/virtual-machines/${machine.id}/render-config/`, {})).json.content,
    'v S',
  )
})

test('environment parameters are data only', async () => {
  for (const environment_params of [{ finalize: 'x' }, { loader: 'x' }, { trim_blocks: 'yes' }, [], 'x']) {
    const reply = await call('POST', '/api/extras/config-templates/', {
      name: 'e',
      template_code: 'x',
      environment_params,
    })
    assert.deepEqual(
      [reply.status, Object.keys(reply.json)],
      [400, ['environment_params']],
      JSON.stringify(environment_params),
    )
  }
  const made = await template('trimmed', '{% if true %}\nx\n{% endif %}\ny', {
    environment_params: { trim_blocks: true },
  })
  assert.equal((await call('POST', `/api/extras/config-templates/${made.id}/render/`, {})).json.content, 'x\ny')
})

test('export: every row that the filters and permissions leave', async () => {
  await post('dcim/sites', { name: 'T', slug: 't', status: 'planned' })
  const code = '{% for obj in queryset %}{{ obj.name }},{{ obj.status }}\n{% endfor %}'
  await post('extras/export-templates', {
    object_types: ['dcim.site'],
    name: 'list',
    template_code: code,
    file_extension: 'csv',
    mime_type: 'text/csv',
  })
  await post('extras/export-templates', {
    object_types: ['dcim.site'],
    name: 'page',
    template_code: '{{ queryset|length }}',
    file_name: 'ä"b',
    as_attachment: false,
  })
  const all = await call('GET', '/api/dcim/sites/?export=list&limit=1')
  assert.deepEqual([all.status, all.text], [200, 'S,active\nT,planned\n'])
  assert.equal(all.headers.get('content-type'), 'text/csv')
  assert.equal(all.headers.get('content-disposition'), 'attachment; filename="netbox_sites.csv"')
  assert.equal((await call('GET', '/api/dcim/sites/?export=list&status=planned')).text, 'T,planned\n')
  const page = await call('GET', '/api/dcim/sites/?export=page')
  assert.deepEqual(
    [page.text, page.headers.get('content-type'), page.headers.get('content-disposition')],
    ['2', 'text/plain; charset=utf-8', null],
  )
  assert.equal((await call('GET', '/api/dcim/sites/?export=nope')).status, 404)
  assert.equal((await call('GET', '/api/dcim/racks/?export=list')).status, 404)
  assert.equal((await call('GET', '/api/dcim/sites/?export=list&status=nope')).status, 400)
  assert.equal((await call('GET', '/api/dcim/sites/?export=list', undefined, eve)).status, 403)
  await grant('one site', 'dcim.site', 'view', { slug: 't' })
  assert.equal((await call('GET', '/api/dcim/sites/?export=list', undefined, eve)).text, 'T,planned\n')
})

test('an export cannot be named as the table is', async () => {
  const reply = await call('POST', '/api/extras/export-templates/', {
    object_types: ['dcim.site'],
    name: 'Table',
    template_code: 'x',
  })
  assert.deepEqual([reply.status, Object.keys(reply.json)], [400, ['name']])
})

test('templates reach what is related, as written for the reference, and what the caller may view only', async () => {
  const [eth0, eth1] = [
    await post('dcim/interfaces', { device: device.id, name: 'eth0', type: '1000base-t', enabled: false }),
    await post('dcim/interfaces', { device: device.id, name: 'eth1', type: 'lag' }),
  ]
  await post('ipam/ip-addresses', {
    address: '10.1.2.3/20',
    assigned_object_type: 'dcim.interface',
    assigned_object_id: eth0.id,
  })
  await post('ipam/ip-addresses', {
    address: '2001:db8::7/64',
    assigned_object_type: 'dcim.interface',
    assigned_object_id: eth1.id,
  })
  const region = await post('dcim/regions', { name: 'Far north', slug: 'far-north' })
  await call('PATCH', `/api/dcim/sites/${site.id}/`, { region: region.id })
  const code = await template(
    'related',
    `{{ device.site.region.slug }} .all() {{ device.interfaces.count() }}
{% for i in device.interfaces.all() %}{{ i.name }}/{{ i.type }}:{% for ip in i.ip_addresses.all() %}{{
  ip.address.ip }} {{ ip.address.netmask }} {{ ip.address.network }} {{
  ip.address.prefixlen }}{% endfor %};{% endfor %}`,
  )
  const body = { config_template_id: code.id }
  const rendered =
    'far-north .all() 2\neth0/1000base-t:10.1.2.3 255.255.240.0 10.1.0.0 20;eth1/lag:2001:db8::7 ' +
    'ffff:ffff:ffff:ffff:: 2001:db8:: 64;'
  assert.equal((await call('POST', renderConfig, body)).json.content, rendered)
  for (const [name, type, action, constraints] of [
    ['see device', 'dcim.device', 'view', null],
    ['render', 'dcim.device', 'render_config', null],
    ['see templates', 'extras.configtemplate', 'view', null],
    ['see site', 'dcim.site', 'view', null],
    ['see region', 'dcim.region', 'view', null],
    ['see one', 'dcim.interface', 'view', { name: 'eth1' }],
  ] as const)
    await grant(`related: ${name}`, type, action, constraints)
  assert.equal((await call('POST', renderConfig, body, eve)).json.content, 'far-north .all() 1\neth1/lag:;')
  await post('extras/export-templates', {
    name: 'ports',
    object_types: ['dcim.device'],
    template_code:
      '{% for d in queryset %}{{ d.name }} {{ d.site.region.name }} {{ d.interfaces.first().name }}\n{% endfor %}',
  })
  assert.equal((await call('GET', `/api/dcim/devices/?export=ports&id=${device.id}`)).text, 'd Far north eth0\n')
})

test('the tags of an object are its own', async () => {
  const tags = [
    await post('extras/tags', { name: 'One', slug: 'one' }),
    await post('extras/tags', { name: 'Two', slug: 'two' }),
  ]
  await post('extras/export-templates', {
    name: 'tags',
    object_types: ['dcim.region'],
    template_code: '{% for r in queryset %}{{ r.name }}:{% for t in r.tags %}{{ t.slug }}{% endfor %};{% endfor %}',
  })
  const region = await post('dcim/regions', { name: 'R1', slug: 'r1', tags: [tags[0].id] })
  for (let id = 1; id <= region.id; id++)
    // One of them has the region's id.
    await post('dcim/site-groups', { name: `G${id}`, slug: `g${id}`, tags: [tags[1].id] })
  assert.equal((await call('GET', '/api/dcim/regions/?export=tags&name=R1')).text, 'R1:one;')
})
