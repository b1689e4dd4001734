import type { Command } from '../command.ts'

/** Commands that run a server, and keep it running. */
export const serving: Readonly<Record<string, Command>> = {
  serve: {
    summary: 'serve a data folder until SIGTERM; an empty one is set up first',
    options: {
      listen: { value: 'ADDR:PORT', help: 'where to listen (default: 127.0.0.1:8080)' },
      unfinished: { help: 'serve a folder whose import from a NetBox did not end' },
      'new-peppers': { help: 'go on without a lost peppers.json: version 2 tokens and second factors are deleted' },
      follow: { value: 'PLACE', help: 'show what another server keeps at PLACE by cabinet replicate; read only' },
      source: { value: 'URL', help: 'with --follow: hand writes to this server' },
      key: { value: 'FILE', help: 'with --follow: the private key of an sftp place' },
      'set-aside': { help: 'with --follow: put the data that are here into a folder beside' },
    },
    details:
      'Every key of the configuration file can be set in the environment as CABINET_<KEY>; config.example.toml ' +
      'lists them. The first start makes the administrator of CABINET_SUPERUSER_NAME, CABINET_SUPERUSER_PASSWORD ' +
      'and CABINET_SUPERUSER_API_TOKEN, or prints a password and a token of its own, once.',
    isService: true,
    run: async (input) => (await import('../serve.ts')).serve(input),
  },
  health: {
    summary: 'ask the server of a configuration whether it is ready',
    options: { listen: { value: 'ADDR:PORT', help: 'where it listens (default: that of the configuration)' } },
    details: 'Prints its answer. The exit code is 0 when it is ready, and 1 otherwise.',
    run: async (input) => (await import('../health.ts')).health(input),
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
      'Database, uploads and the secrets of tokens travel, so the place wants to be kept as carefully as the data ' +
      'folder. Who holds it can follow: cabinet serve --follow PLACE. Litestream 0.5 must be installed on both ' +
      'sides (litestream in the configuration names it).',
    run: async (input) => (await import('../replicate.ts')).replicate(input),
  },
  promote: {
    summary: 'make a follower the source, when the one before is gone',
    options: { force: { help: 'although the source lives, or the place of the replica cannot be read' } },
    details:
      'The server of the folder is stopped first. It takes over with all that the replica has, says up to when ' +
      'that is everything, and begins a new epoch at the place: the source before it is refused from then on, ' +
      'until it follows.',
    run: async (input) => (await import('../promote.ts')).promote(input),
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
      'Writes /etc/systemd/system/cabinet.service for this executable and a user of its own, cabinet. Its data ' +
      'lie in /var/lib/cabinet, or in another folder of /var/lib that --data names. Called again, it writes the ' +
      'unit anew and restarts the service.',
    run: async (input) => (await import('../service.ts')).installService(input),
  },
  'service remove': {
    summary: 'end the service and take its unit away; data and user stay',
    options: { root: { value: 'DIR', help: 'from the system in this folder' } },
    run: async (input) => (await import('../service.ts')).removeService(input),
  },
  'service status': {
    summary: 'what systemd says of the service',
    run: async () => (await import('../service.ts')).serviceStatus(),
  },
  upgrade: {
    summary: 'put a new executable in the place of this one, or go back by itself',
    operands: ['FILE'],
    options: {
      executable: { value: 'PATH', help: 'the executable that is replaced (default: this one)' },
      stop: { value: 'COMMAND', help: 'what stops the server (default: systemctl, where its service is installed)' },
      start: { value: 'COMMAND', help: 'what starts it again' },
      listen: { value: 'ADDR:PORT', help: 'where the server answers (default: that of its service or configuration)' },
      patience: { value: 'SECONDS', help: 'how long it may take to answer (default: 120)' },
    },
    details:
      'Backs up; has the new executable open and migrate a copy of the data; stops the server, swaps the ' +
      'executables, and starts it. A server that runs and does not answer where it is looked for is left alone. ' +
      'When the new one does not answer in time, the executable before comes back, and where ' +
      'that cannot read the database any more, the database as it was when the server was stopped. Without a ' +
      'service nothing is restarted. Needs room for four copies of the database.',
    run: async (input) => (await import('../upgrade.ts')).upgrade(input),
  },
}
