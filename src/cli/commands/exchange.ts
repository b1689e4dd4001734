import type { Command } from '../command.ts'

const named = { csv: 'CSV', json: 'JSON', yaml: 'YAML' } as const

const importDetails =
  'MODEL is a name as dcim.site (cabinet models lists them); FILE may be - for standard input. The first line ' +
  "of CSV names the columns: members as the API has them, or those of the reference's own import forms " +
  '(side_a_device). JSON and YAML are lists of objects. A reference is an id, a slug or a name, or is named ' +
  'by attributes: site.slug, device.site.name; one that could mean two objects is refused. Lists have commas, ' +
  'or are JSON; custom fields are columns cf_<name>. A line with an id changes that object (an empty cell ' +
  'empties a member), any other makes a new one. What is wrong is named by line and column, and then nothing ' +
  'is imported.'

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
      run: async (input) => (await import('../exchange.ts')).importFrom(format, input),
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
        `To standard output without FILE, in the form that \`cabinet import ${format}\` takes; with its --new it ` +
        'makes the same objects in another data folder: references are written so that it finds the same object or ' +
        'refuses (device.name, device.site.slug). The exit code is 1 when an object has nothing by which it could ' +
        'be found.',
      run: async (input) => (await import('../exchange.ts')).exportTo(format, input),
    },
  ]),
)

/** Commands that bring data in and take them out. */
export const exchange: Readonly<Record<string, Command>> = {
  'import netbox': {
    summary: 'copy a running NetBox 4 over its REST API',
    operands: ['URL'],
    options: {
      token: { value: 'TOKEN', help: 'API token of a user who may see everything (default: $CABINET_SOURCE_TOKEN)' },
      insecure: { help: 'take any TLS certificate' },
      only: { value: 'MODELS', help: 'these models alone, as dcim.site,dcim.rack' },
    },
    details:
      'Copies objects with their ids, tags, custom fields and images, and users, groups and permissions; not ' +
      'passwords, tokens, sessions, jobs nor change records. Where a table is not empty, an object with the same ' +
      'name or slug is taken for the one that is there, and an id that is taken is replaced by a new one. No ' +
      'server may be using the data folder.\n\n' +
      'After an interruption the same command goes on. Once done, it adds what came since; it changes nothing ' +
      'that is there. It ends with the number of objects of each model at the source and here; the exit code is 0 ' +
      'when they are the same and all went well. References to what the token may not see are taken back and ' +
      'counted. A folder whose import did not end is not served.',
    run: async (input) => (await import('../import-netbox.ts')).importFromNetbox(input),
  },
  ...importCommands,
  'import devicetypes': {
    summary: 'take over a library of device types in YAML',
    operands: ['DIR'],
    details:
      'DIR has the form of the community device type library: device-types/<manufacturer>/*.yaml, module-types/…, ' +
      'rack-types/… and elevation-images/<manufacturer>/<slug>.front.png. Manufacturers are made; types that are ' +
      'there already are left as they are. A file that cannot be taken is named, leaves nothing behind and stops ' +
      'nothing; then the exit code is 1.',
    run: async (input) => (await import('../import-devicetypes.ts')).importDeviceTypes(input),
  },
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
      insecure: { help: 'take any TLS certificate' },
    },
    details:
      'SQL is one SELECT, or - for standard input: cabinet query "select role, count(*) from devices group by ' +
      'role". Nothing can be changed by it. A question may take report_timeout seconds and answers ' +
      'report_max_rows rows.',
    run: async (input) => (await import('../query.ts')).query(input),
  },
}
