import { Version } from '../lib/version.ts'
import type { Command } from './command.ts'

const json = { json: { help: 'as JSON, for programs' } }
const named = { csv: 'CSV', json: 'JSON', yaml: 'YAML' } as const

const importDetails =
  'MODEL is a name as dcim.site (cabinet models lists them); FILE may be - for standard input. The first line of CSV names the columns:\n' +
  "members as the API has them, or those of the reference's own import forms (side_a_device). JSON and YAML are lists of objects.\n" +
  'A reference is an id, a slug or a name, or is named by attributes: site.slug, device.site.name; one that could mean two objects is\n' +
  'refused. Lists have commas, or are JSON; custom fields are columns cf_<name>. A line with an id changes that object (an empty cell\n' +
  'empties a member), any other makes a new one. What is wrong is named by line and column, and then nothing is imported.'

const importCommands = Object.fromEntries(
  (['csv', 'json', 'yaml'] as const).map((format): [string, Command] => [
    `import ${format}`,
    {
      summary: `make or change objects from ${named[format]}, all or none`,
      operands: ['MODEL', 'FILE'],
      options: {
        new: { help: 'for files of another data folder: every line is a new object, and no id counts' },
        'dry-run': { help: 'say what would happen, and change nothing' },
      },
      details: importDetails,
      run: async (input) => (await import('./exchange.ts')).importFrom(format, input),
    },
  ]),
)

const exportCommands = Object.fromEntries(
  (['csv', 'json', 'yaml'] as const).map((format): [string, Command] => [
    `export ${format}`,
    {
      summary: `write all objects of a model as ${named[format]}`,
      operands: ['MODEL'],
      optional: ['FILE'],
      options: {
        ids: { help: 'references as ids, which only this data folder knows' },
        at: {
          value: 'MOMENT',
          help: 'the objects as they were: 2026-11-01T12:00:00Z, --at=-7d, or the id of a request',
        },
      },
      details:
        `To standard output without FILE, in the form that \`cabinet import ${format}\` takes; with its --new it makes the same objects in\n` +
        'another data folder: references are written so that it finds the same object or refuses (device.name, device.site.slug). The\n' +
        'exit code is 1 when an object has nothing by which it could be found.',
      run: async (input) => (await import('./exchange.ts')).exportTo(format, input),
    },
  ]),
)

const kitToken = { value: 'TOKEN', help: 'API token at the source (default: $CABINET_SOURCE_TOKEN)' }
const kitInsecure = { help: 'take any TLS certificate' }
const decisions = {
  ours: { help: 'where both sides disagree, the side of this data folder counts' },
  theirs: { help: 'where both sides disagree, the other side counts' },
  'ours-of': {
    value: 'LIST',
    help: 'the same for some models, objects or fields alone: dcim.cable,dcim.device:7.name',
  },
  'theirs-of': { value: 'LIST', help: 'the same for the other side' },
}
const conflictDetails =
  'What one side changed is taken by the other; what both changed to different values, or one deleted and the other changed or refers\n' +
  'to, or two new objects that want the same place, is a conflict. Then nothing happens, and conflicts.json in the data folder lists each\n' +
  'with the values of where both parted, of here (ours) and of there (theirs); fill in its "take", or decide by the options or on the page\n' +
  '/kit/, and call the command again. The exit code is 1 while conflicts are open.'

/** Every command by its words. What it does is imported when it runs, so that the others start at once. */
export const commands: Readonly<Record<string, Command>> = {
  serve: {
    summary: 'serve a data folder until SIGTERM; an empty one is set up first',
    options: {
      listen: { value: 'ADDR:PORT', help: 'where to listen (default: 127.0.0.1:8080)' },
      unfinished: { help: 'serve a folder whose import from a NetBox did not end' },
      'new-peppers': { help: 'go on without a lost peppers.json: version 2 tokens are deleted' },
      follow: { value: 'PLACE', help: 'show what another server keeps at PLACE by cabinet replicate; read only' },
      source: { value: 'URL', help: 'with --follow: hand writes to this server' },
      key: { value: 'FILE', help: 'with --follow: the private key of an sftp place' },
      'set-aside': { help: 'with --follow: put the data that are here into a folder beside' },
    },
    details:
      'Every key of the configuration file can be set in the environment as CABINET_<KEY>; config.example.toml lists them.\n' +
      'The first start makes the administrator of CABINET_SUPERUSER_NAME, CABINET_SUPERUSER_PASSWORD and\nCABINET_SUPERUSER_API_TOKEN, or prints a password and a token of its own, once.',
    isService: true,
    run: async (input) => (await import('./serve.ts')).serve(input),
  },
  'user add': {
    summary: 'make a user',
    operands: ['NAME'],
    options: { superuser: { help: 'who may do everything' } },
    details: 'The password is asked for on a terminal, and else read from CABINET_PASSWORD or standard input.',
    run: async (input) => (await import('./users.ts')).addUser(input),
  },
  'user passwd': {
    summary: "set a user's password",
    operands: ['NAME'],
    details: 'The password is asked for on a terminal, and else read from CABINET_PASSWORD or standard input.',
    run: async (input) => (await import('./users.ts')).changePassword(input),
  },
  'user promote': {
    summary: 'make a user an administrator',
    operands: ['NAME'],
    run: async (input) => (await import('./users.ts')).promoteUser(input, true),
  },
  'user demote': {
    summary: 'make an administrator a user like others',
    operands: ['NAME'],
    run: async (input) => (await import('./users.ts')).promoteUser(input, false),
  },
  'user link': {
    summary: 'connect a user with an account of the OpenID provider',
    operands: ['NAME', 'SUBJECT'],
    details: 'SUBJECT is what the provider calls the account (the claim sub); a sign-on that is refused shows it.',
    run: async (input) => (await import('./users.ts')).linkUser(input),
  },
  'user login': {
    summary: 'print a path that logs a user in once, whatever else is asked of them',
    operands: ['NAME'],
    details:
      'For who is locked out: it asks neither for a password nor for a second factor, and works with local_login = false.',
    run: async (input) => (await import('./users.ts')).printLogin(input),
  },
  'user drop-factor': {
    summary: "take a user's second factor away",
    operands: ['NAME'],
    run: async (input) => (await import('./users.ts')).dropFactor(input),
  },
  'user list': {
    summary: 'list users',
    options: json,
    run: async (input) => (await import('./users.ts')).printUsers(input),
  },
  'token add': {
    summary: 'make an API token and print the header that uses it, once',
    operands: ['USERNAME'],
    options: {
      'read-only': { help: 'a token that changes nothing' },
      v1: { help: 'the older form, stored as it is' },
      description: { value: 'TEXT', help: 'what it is for' },
      expires: { value: 'TIME', help: 'when it ends, as 2030-12-31T23:59:59Z' },
      'allowed-ips': { value: 'LIST', help: 'addresses and networks that may use it, with commas' },
    },
    run: async (input) => (await import('./tokens.ts')).addToken(input),
  },
  'token list': {
    summary: 'list API tokens',
    options: json,
    run: async (input) => (await import('./tokens.ts')).printTokens(input),
  },
  'token revoke': {
    summary: 'delete an API token',
    operands: ['ID'],
    run: async (input) => (await import('./tokens.ts')).removeToken(input),
  },
  backup: {
    summary: 'write database, secrets and uploads to one file, also while a server runs',
    operands: ['FILE'],
    options: {
      verify: { help: 'open what was written, and look through its database' },
      at: { value: 'MOMENT', help: 'the database as it was: 2026-11-01T12:00:00Z, --at=-7d, or the id of a request' },
    },
    run: async (input) => (await import('./backup.ts')).backup(input),
  },
  restore: {
    summary: 'fill an empty data folder from a backup',
    operands: ['FILE'],
    options: { force: { help: 'replace what the folder holds' } },
    run: async (input) => (await import('./restore.ts')).restore(input),
  },
  clone: {
    summary: 'make a field kit: a copy of a server to work on without a network',
    operands: ['URL'],
    options: {
      token: { value: 'TOKEN', help: 'API token of an administrator there (default: $CABINET_SOURCE_TOKEN)' },
      name: { value: 'NAME', help: 'what the kit is called at the source (default: this machine and the time)' },
      description: { value: 'TEXT', help: 'what it is for' },
      'with-secrets': { help: 'passwords, tokens, and keys of webhooks and data sources too' },
      encrypt: { help: 'lock it at once with a passphrase (cabinet kit lock, kit unlock)' },
      insecure: { help: 'take any TLS certificate' },
    },
    details:
      'The folder of --data gets everything there is: objects, change log, uploaded files. Passwords, API tokens, sessions and the keys of\n' +
      'webhooks and data sources do not come unless --with-secrets says so; whoever clones gets a new password for the kit, printed once.\n' +
      'What is made in the kit has ids of its own (its number times 100,000,000 and on) and keeps them when it is pushed. Webhooks and\n' +
      'event rules act at the source alone, when a push comes. Users, groups and permissions go from the source to the kit, never back.',
    run: async (input) => (await import('./clone.ts')).clone(input),
  },
  status: {
    summary: 'say what was changed in a field kit and at its source since both parted',
    options: { token: kitToken, insecure: kitInsecure, ...decisions },
    run: async (input) => (await import('./sync.ts')).status(input),
  },
  pull: {
    summary: 'get the changes of the source into a field kit, all or none',
    options: { token: kitToken, insecure: kitInsecure, ...decisions },
    details: conflictDetails,
    run: async (input) => (await import('./sync.ts')).pull(input),
  },
  push: {
    summary: 'pull, and give the source what was changed in a field kit, all or none',
    options: {
      token: kitToken,
      insecure: kitInsecure,
      'dry-run': { help: 'say what would happen, and change nothing' },
      ...decisions,
    },
    details:
      'At the source it is an ordinary write: the owner of the token must have the permission for each object, rules hold, and events\n' +
      'fire. Change records keep who did it in the kit, when, and with what message. An interrupted push is repeated without harm.\n\n' +
      conflictDetails,
    run: async (input) => (await import('./sync.ts')).push(input),
  },
  bundle: {
    summary: 'write to a file what a push would send; at the source, what a pull would get',
    operands: ['FILE'],
    options: { kit: { value: 'NAME', help: 'at the source: the kit that the bundle is for' } },
    details:
      'cabinet apply FILE takes it on the other side. The file is signed with the key of the kit, and not encrypted.',
    run: async (input) => (await import('./bundles.ts')).bundle(input),
  },
  apply: {
    summary: 'take a bundle of a field kit or of its source, all or none',
    operands: ['FILE'],
    options: { 'dry-run': { help: 'say what would happen, and change nothing' }, ...decisions },
    details: `${conflictDetails}\nAt the source, the file is FILE.conflicts.json, and ours is the source.`,
    run: async (input) => (await import('./bundles.ts')).apply(input),
  },
  'kit list': {
    summary: 'list the field kits that were cloned from here',
    options: json,
    run: async (input) => (await import('./bundles.ts')).listKits(input),
  },
  'kit revoke': {
    summary: 'take nothing from a field kit and give it nothing any more',
    operands: ['NAME'],
    run: async (input) => (await import('./bundles.ts')).revokeKit(input),
  },
  'kit lock': {
    summary: 'seal a field kit with a passphrase: its folder then holds one file that nobody else can read',
    details:
      'The passphrase comes from CABINET_KIT_PASSPHRASE, the terminal or standard input. The key is made of it by argon2id, the file is\n' +
      'sealed with AES-256-GCM. No server may be using the kit. It protects a kit that is stolen while it is locked: not one that is being\n' +
      'served, nor what a disk may still keep of files that were deleted (encrypt the disk for that). Who forgets it loses the kit.',
    run: async (input) => (await import('./kit-lock.ts')).lockKit(input),
  },
  'kit unlock': {
    summary: 'open a field kit that was locked',
    run: async (input) => (await import('./kit-lock.ts')).unlockKit(input),
  },
  'import netbox': {
    summary: 'copy a running NetBox 4 over its REST API',
    operands: ['URL'],
    options: {
      token: { value: 'TOKEN', help: 'API token of a user who may see everything (default: $CABINET_SOURCE_TOKEN)' },
      insecure: { help: 'take any TLS certificate' },
      only: { value: 'MODELS', help: 'these models alone, as dcim.site,dcim.rack' },
    },
    details:
      'Copies objects with their ids, tags, custom fields and images, and users, groups and permissions; not passwords, tokens, sessions,\n' +
      'jobs nor change records. Where a table is not empty, an object with the same name or slug is taken for the one that is there, and\n' +
      'an id that is taken is replaced by a new one. No server may be using the data folder.\n\n' +
      'After an interruption the same command goes on. Once done, it adds what came since; it changes nothing that is there. It ends\n' +
      'with the number of objects of each model at the source and here; the exit code is 0 when they are the same and all went well.\n' +
      'References to what the token may not see are taken back and counted. A folder whose import did not end is not served.',
    run: async (input) => (await import('./import-netbox.ts')).importFromNetbox(input),
  },
  ...importCommands,
  ...exportCommands,
  query: {
    summary: 'ask a question in SQL, of the data folder or of a server',
    optional: ['SQL'],
    options: {
      tables: { help: 'list the tables and their columns' },
      format: { value: 'FORMAT', help: 'table, json or csv (default: table)' },
      params: { value: 'JSON', help: 'values for ? or :name, as a list or an object' },
      user: { value: 'NAME', help: 'with what this user may view (default: everything)' },
      url: { value: 'URL', help: 'ask this server' },
      token: { value: 'TOKEN', help: 'API token there (default: $CABINET_SOURCE_TOKEN)' },
    },
    details:
      'SQL is one SELECT, or - for standard input: cabinet query "select role, count(*) from devices group by role". Nothing can be\n' +
      'changed by it. A question may take report_timeout seconds and answers report_max_rows rows.',
    run: async (input) => (await import('./query.ts')).query(input),
  },
  'import devicetypes': {
    summary: 'take over a library of device types in YAML',
    operands: ['DIR'],
    details:
      'DIR has the form of the community device type library: device-types/<manufacturer>/*.yaml, module-types/…, rack-types/… and\n' +
      'elevation-images/<manufacturer>/<slug>.front.png. Manufacturers are made; types that are there already are left as they are.\n' +
      'A file that cannot be taken is named, leaves nothing behind and stops nothing; then the exit code is 1.',
    run: async (input) => (await import('./import-devicetypes.ts')).importDeviceTypes(input),
  },
  replicate: {
    summary: 'have the server keep a replica of its data elsewhere, by Litestream',
    options: {
      to: {
        value: 'PLACE',
        help: 'a folder, sftp://USER@HOST/PATH, s3://BUCKET/PATH?endpoint=HOST or what else Litestream knows',
      },
      key: { value: 'FILE', help: 'the private key of an sftp place' },
      anew: { help: 'begin another epoch where a replica lies already' },
      stop: { help: 'keep none from now on' },
    },
    details:
      'Database, uploads and the secrets of tokens travel, so the place wants to be kept as carefully as the data folder. Who holds it can\n' +
      'follow: cabinet serve --follow PLACE. Litestream 0.5 must be installed on both sides (litestream in the configuration names it).',
    run: async (input) => (await import('./replicate.ts')).replicate(input),
  },
  promote: {
    summary: 'make a follower the source, when the one before is gone',
    options: { force: { help: 'although the source lives, or the place of the replica cannot be read' } },
    details:
      'The server of the folder is stopped first. It takes over with all that the replica has, says up to when that is everything, and\n' +
      'begins a new epoch at the place: the source before it is refused from then on, until it follows.',
    run: async (input) => (await import('./promote.ts')).promote(input),
  },
  check: {
    summary: 'look for damage: integrity, references, and all that is worked out from other data',
    options: {
      repair: { help: 'set right what can be worked out' },
      quick: { help: 'look at the pages of the file alone' },
      'take-back': { help: 'and take back references to what is not there; rows that cannot be without go' },
    },
    details: 'The exit code is 0 when nothing is wrong or all was repaired, and 1 otherwise.',
    run: async (input) => (await import('./check.ts')).check(input),
  },
  'service install': {
    summary: 'have systemd run the server, now and whenever the machine starts',
    options: {
      listen: { value: 'ADDR:PORT', help: 'where to listen (default: that of the configuration)' },
      socket: { help: 'have systemd listen: nobody is refused while the server is restarted' },
      print: { help: 'print the unit, and change nothing' },
      root: { value: 'DIR', help: 'into the system in this folder: an image, a chroot' },
    },
    details:
      'Writes /etc/systemd/system/cabinet.service for this executable and a user of its own, cabinet. Its data lie in /var/lib/cabinet, or\n' +
      'in another folder of /var/lib that --data names. Called again, it writes the unit anew and restarts the service.',
    run: async (input) => (await import('./service.ts')).installService(input),
  },
  'service remove': {
    summary: 'end the service and take its unit away; data and user stay',
    options: { root: { value: 'DIR', help: 'from the system in this folder' } },
    run: async (input) => (await import('./service.ts')).removeService(input),
  },
  'service status': {
    summary: 'what systemd says of the service',
    run: async () => (await import('./service.ts')).serviceStatus(),
  },
  health: {
    summary: 'ask the server of a configuration whether it is ready',
    options: { listen: { value: 'ADDR:PORT', help: 'where it listens (default: that of the configuration)' } },
    details: 'Prints its answer. The exit code is 0 when it is ready, and 1 otherwise.',
    run: async (input) => (await import('./health.ts')).health(input),
  },
  upgrade: {
    summary: 'put a new executable in the place of this one, or go back by itself',
    operands: ['FILE'],
    options: {
      executable: { value: 'PATH', help: 'the executable that is replaced (default: this one)' },
      stop: { value: 'COMMAND', help: 'what stops the server (default: systemctl, where its service is installed)' },
      start: { value: 'COMMAND', help: 'what starts it again' },
      patience: { value: 'SECONDS', help: 'how long it may take to answer (default: 120)' },
    },
    details:
      'Backs up; has the new executable open and migrate a copy of the data; stops the server, swaps the executables, and starts it. When it\n' +
      'does not answer in time, the executable before comes back, and where that cannot read the database any more, the database\n' +
      'as it was when the server was stopped. Without a service nothing is restarted. Needs room for four copies of the database.',
    run: async (input) => (await import('./upgrade.ts')).upgrade(input),
  },
  models: {
    summary: 'list the models that imports and exports name',
    options: json,
    run: async (input) => (await import('./models.ts')).printModels(input),
  },
  config: {
    summary: 'print the configuration in force, without secrets',
    run: async (input) => {
      const { toToml } = await import('../config.ts')
      process.stdout.write(toToml(await input.config()))
      return 0
    },
  },
  openapi: {
    summary: 'print the OpenAPI document',
    options: { yaml: { help: 'as YAML, not JSON' } },
    run: async (input) => (await import('./openapi.ts')).openapi(input),
  },
  completion: {
    summary: 'print what has a shell complete commands, options, files and models',
    operands: ['SHELL'],
    details: 'SHELL is bash, zsh or fish; the first lines of what is printed say where it goes.',
    run: async (input) => (await import('./shells.ts')).printCompletion(input, commands),
  },
  manual: {
    summary: 'print the manual page, for man',
    details: 'cabinet manual > /usr/local/share/man/man1/cabinet.1',
    run: async () => print((await import('./shells.ts')).manualOf(commands).trimEnd()),
  },
  version: { summary: 'print the version', run: () => print(Version) },
}

function print(line: string): number {
  process.stdout.write(`${line}\n`)
  return 0
}

/** What `cabinet --help` prints: all commands, or those that begin with a word. */
export function overview(word?: string): string {
  const shown = Object.entries(commands).filter(([name]) => word === undefined || name.startsWith(`${word} `))
  const forms = shown.map(([name, { operands = [], optional = [] }]) =>
    [name, ...operands, ...optional.map((word) => `[${word}]`)].join(' '),
  )
  const width = Math.max(...forms.map((form) => form.length))
  const lines = shown.map(([, { summary }], i) => `  cabinet ${forms[i]!.padEnd(width)} ${summary}`)
  return `Cabinet ${Version}: infrastructure inventory from one file.\n\n${lines.join('\n')}\n\nEach command has --help. Exit codes: 0 done, 1 failed, 2 called wrongly or wrongly configured.\n`
}
