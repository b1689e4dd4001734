import type { Row } from '../fields/field.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Op } from './collisions.ts'
import { isAccount, type Link } from './coming.ts'
import { type Dispute, Values } from './disputes.ts'
import type { AtStake } from './held.ts'
import type { NewMembers } from './links.ts'
import type { Side } from './merge.ts'
import type { Names } from './names.ts'
import type { Reference } from './references.ts'

/** Why something is missing that is referred to, and what becomes of that by the other side's decision. */
const Missing = {
  'was deleted here': (to: string) => `${to} comes back`,
  'is not taken': () => 'nothing can be done: it goes with what it refers to',
  'is not here': () => 'nothing can be done: make it here first',
}

/** What is said of conflicts about whole objects: what each side wrote, and what becomes of it either way. */
export class DisputeTexts {
  readonly #names: Names
  readonly #members: NewMembers

  constructor(names: Names, members: NewMembers) {
    this.#names = names
    this.#members = members
  }

  /** Deleted on this side, changed on the other. */
  deletedHere(m: AnyModel, base: Row | null, theirs: Row): Dispute {
    return {
      kind: 'deleted here',
      field: null,
      parted: base && this.#names.written(m, base, theirs),
      ours: null,
      theirs: this.#names.written(m, theirs, base, this.#members.of('theirs', m, theirs.id as number)),
      detail: 'It was deleted here and changed there.',
      if_ours: 'it stays deleted',
      if_theirs: 'it comes back as it is there',
    }
  }

  /** The other way round. */
  deletedThere(m: AnyModel, base: Row, ours: Row): Dispute {
    return {
      kind: 'deleted there',
      field: null,
      parted: this.#names.written(m, base, ours),
      ours: this.#names.written(m, ours, base, this.#members.of('ours', m, ours.id as number)),
      theirs: null,
      detail: 'It was changed here and deleted there.',
      if_ours: 'it stays, with what belongs to it',
      if_theirs: 'it goes here too',
    }
  }

  /** An object of the other side refers to something, `to`, that will not be here. */
  missing(
    { m, id, before, after }: Op,
    { field, otherwise }: { field: string; otherwise: keyof typeof Otherwise },
    to: string,
    why: keyof typeof Missing,
  ): Dispute {
    return {
      kind: 'missing',
      field,
      parted: null,
      ours: null,
      theirs: this.#names.written(m, after!, before, this.#members.of('theirs', m, id)),
      detail: `It refers to ${to}, which ${why}.`,
      if_ours: Otherwise[otherwise],
      if_theirs: Missing[why](to),
    }
  }

  /** A reference of a new object of the other side that rules do not let it have beside what is here. */
  unfit(m: AnyModel, field: string, theirs: Row): Dispute {
    return {
      kind: 'refused',
      field,
      parted: null,
      ours: null,
      theirs: this.#names.shownIn(m, field, theirs),
      detail: 'What it refers to is not free for it here.',
      if_ours: Otherwise['set null'],
      if_theirs: 'nothing can be done: change what it refers to first',
    }
  }

  /** What one side gave to an object goes with the value that the other gave to a field. */
  losing(
    m: AnyModel,
    { name, field, value, side, members }: AtStake,
    { base, ours, theirs }: { base: Row | null; ours: Row; theirs: Row },
  ): Dispute {
    const shown = (row: Row | null) => row && { [field]: this.#names.shownIn(m, field, row) }
    const values = { parted: shown(base), ours: shown(ours), theirs: shown(theirs) }
    return {
      kind: 'refused',
      field,
      ...values,
      [side]: { ...values[side], [name]: this.#names.members(members) },
      detail: `It has ${name} only where its ${field} is ${value}.`,
      if_ours: side === 'ours' ? Values.if_ours : `${Values.if_ours}, and what ${name} got there does not come`,
      if_theirs: side === 'theirs' ? Values.if_theirs : `${Values.if_theirs}, and what ${name} got here goes`,
    }
  }

  /** What a side wrote of an object that went along with what it belongs to, by a decision about that. */
  swept(side: Side, m: AnyModel, before: Row | null, row: Row): Dispute {
    const values = this.#names.written(m, row, before, this.#members.of(side, m, row.id as number))
    return {
      kind: 'missing',
      field: null,
      parted: before && this.#names.written(m, before, row),
      ours: null,
      theirs: null,
      [side]: values,
      detail: 'It went along with what it belongs to.',
      if_ours: Missing['is not taken'](),
      if_theirs: Missing['is not taken'](),
    }
  }

  /** The other side deleted what `by`, of which `ours` is shown, refers to here; `back`: it had referred to another. */
  referred(onDelete: Reference['onDelete'] | 'back', by: string, ours: Record<string, unknown>, to: AnyModel): Dispute {
    return {
      kind: 'referenced',
      field: null,
      parted: null,
      ours,
      theirs: null,
      detail: `It was deleted there, and ${by} refers to it here.`,
      if_ours: isAccount(to)
        ? `it stays here; there it does not come back, so that ${by} has to refer to another before the next push`
        : 'it stays, with what belongs to it',
      if_theirs:
        onDelete === 'back'
          ? `it goes; ${by} refers to what it did before`
          : onDelete === 'set null'
            ? `it goes; ${by} refers to nothing then`
            : `it goes, and ${by} with it`,
    }
  }

  /** The source deleted an account, `what`, which a field of this side refers to: no side can have it then. */
  lost(field: string, what: string, ours: unknown): Dispute {
    return {
      kind: 'missing',
      field,
      parted: null,
      ours,
      theirs: null,
      detail: `It refers to ${what}, which was deleted there.`,
      if_ours: 'nothing can be done: of accounts the source decides',
      if_theirs: 'it refers to nothing then',
    }
  }

  /** The other side linked an object to something of its own that is not taken. */
  unlinkedToo({ target, to, field }: Link, row: Row): Dispute {
    const name = this.#names.of(target, to, row)
    return {
      kind: 'missing',
      field,
      parted: null,
      ours: null,
      theirs: [`${name} (${to})`],
      detail: `It refers to ${this.#names.called(target, to, row)}, which is not taken.`,
      if_ours: Otherwise['set null'],
      if_theirs: Missing['is not taken'](),
    }
  }

  /** The other side linked what was deleted here. */
  unlinked({ owner, from, target, to, field }: Link): Dispute {
    const what = `the ${field} of ${this.#names.called(owner, from)}`
    return {
      kind: 'deleted here',
      field: null,
      parted: null,
      ours: null,
      theirs: { [`${what} (${from})`]: [`${this.#names.of(target, to)} (${to})`] },
      detail: `It was deleted here, and there ${what} were changed.`,
      if_ours: 'it stays deleted',
      if_theirs: 'it comes back',
    }
  }
}

/** What becomes of an object without a new reference. */
const Otherwise = {
  back: 'it refers to what it did before',
  'set null': 'it refers to nothing',
  gone: 'it is not taken',
} as const
