import { type Command, json } from '../command.ts'

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
  'What one side changed is taken by the other; what both changed to different values, or one deleted and the ' +
  'other changed or refers to, or two new objects that want the same place, is a conflict. Then nothing ' +
  'happens, and conflicts.json in the data folder lists each with the values of where both parted, of here ' +
  '(ours) and of there (theirs); fill in its "take", or decide by the options, or on the page /kit/ of a kit, and ' +
  'call the command again. The exit code is 1 while conflicts are open. What was decided is printed, and kept in ' +
  'decided.json beside it with the values of both sides: also of conflicts that followed from a decision and were ' +
  'decided by the same option. Undo in the change log, or writing the other value, takes a decision back.'

/** Commands of the field kit: a copy to work on without a network. */
export const kits: Readonly<Record<string, Command>> = {
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
      'The folder of --data gets everything there is: objects, change log, uploaded files. Passwords, API tokens, ' +
      'sessions and the keys of webhooks and data sources do not come unless --with-secrets says so; whoever ' +
      'clones gets a new password for the kit, printed once. What is made in the kit has ids of its own (its ' +
      'number times 100,000,000 and on) and keeps them when it is pushed. Webhooks and event rules act at the ' +
      'source alone, when a push comes. Users, groups and permissions go from the source to the kit, never back.',
    run: async (input) => (await import('../clone.ts')).clone(input),
  },
  status: {
    summary: 'say what was changed in a field kit and at its source since both parted',
    options: { token: kitToken, insecure: kitInsecure, ...decisions },
    run: async (input) => (await import('../sync.ts')).status(input),
  },
  pull: {
    summary: 'get the changes of the source into a field kit, all or none',
    options: { token: kitToken, insecure: kitInsecure, ...decisions, ...json },
    details: conflictDetails,
    run: async (input) => (await import('../sync.ts')).pull(input),
  },
  push: {
    summary: 'pull, and give the source what was changed in a field kit, all or none',
    options: {
      token: kitToken,
      insecure: kitInsecure,
      'dry-run': { help: 'say what would happen, and change nothing' },
      ...decisions,
      ...json,
    },
    details:
      'At the source it is an ordinary write: the owner of the token must have the permission for each object, ' +
      'rules hold, and events fire. Change records keep who did it in the kit, when, and with what message. An ' +
      'interrupted push is repeated without harm.\n\n' +
      conflictDetails,
    run: async (input) => (await import('../sync.ts')).push(input),
  },
  bundle: {
    summary: 'write to a file what a push would send; at the source, what a pull would get',
    operands: ['FILE'],
    options: { kit: { value: 'NAME', help: 'at the source: the kit that the bundle is for' } },
    details:
      'cabinet apply FILE takes it on the other side. The file is signed with the key of the kit, and not ' +
      'encrypted.',
    run: async (input) => (await import('../bundles.ts')).bundle(input),
  },
  apply: {
    summary: 'take a bundle of a field kit or of its source, all or none',
    operands: ['FILE'],
    options: { 'dry-run': { help: 'say what would happen, and change nothing' }, ...decisions, ...json },
    details:
      `${conflictDetails} At the source, the files are FILE.conflicts.json and FILE.decided.json, and ours is ` +
      'the source.',
    run: async (input) => (await import('../bundles.ts')).apply(input),
  },
  'kit list': {
    summary: 'list the field kits that were cloned from here',
    options: json,
    run: async (input) => (await import('../bundles.ts')).listKits(input),
  },
  'kit revoke': {
    summary: 'take nothing from a field kit and give it nothing any more',
    operands: ['NAME'],
    run: async (input) => (await import('../bundles.ts')).revokeKit(input),
  },
  'kit lock': {
    summary: 'seal a field kit with a passphrase: its folder then holds one file that nobody else can read',
    details:
      'The passphrase comes from CABINET_KIT_PASSPHRASE, the terminal or standard input. The key is made of it by ' +
      'argon2id, the file is sealed with AES-256-GCM. No server may be using the kit. It protects a kit that is ' +
      'stolen while it is locked: not one that is being served, nor what a disk may still keep of files that were ' +
      'deleted (encrypt the disk for that). Who forgets it loses the kit.',
    run: async (input) => (await import('../kit-lock.ts')).lockKit(input),
  },
  'kit unlock': {
    summary: 'open a field kit that was locked',
    run: async (input) => (await import('../kit-lock.ts')).unlockKit(input),
  },
}
