import type { Field } from '../fields/field.ts'

/** Titles with the names that stand below them, in order; names are words with spaces between. */
type Groups = Readonly<Record<string, string>>

/**
 * A table of related rows on the page of an object: the model, and a query that finds them. In the query a name alone
 * is this object's id, `$name` one of its values, `$name!` one without which there is no table.  The third is its title
 * where that is not the model's; `if any`: nothing stands there where nothing is found, but where a value of the object
 * says that something may be (`if any or type=lag`); `around`: it is what the object lies in, and nothing is added to
 * that from here; `always`: a tab that stands there though nothing is found.
 */
export type Related = readonly [
  model: string,
  query: string,
  title?: string,
  show?: 'if any' | `if any or ${string}=${string}` | 'around' | 'always',
]

/**
 * What the pages of a model show where it does not follow from the fields. A name is a member of the object, or a path
 * that begins with one (`site.region`).
 */
export interface Pages {
  /** What objects are renamed by in bulk, where that is not their `name`. */
  named?: string
  /** Each object has a page, though answers do not say where it is (`displayUrl: false`). */
  ofEach?: true
  /** Columns of the list, for whoever chose no others. */
  columns?: string
  /** Columns where a table stands on the page of what the objects belong to, which need not be named there. */
  within?: string
  /** The command that makes the model's objects, where pages do not. */
  madeBy?: string
  /** Labels of members where pages call them otherwise than OPTIONS does. */
  labels?: Readonly<Record<string, string>>
  /** Members that are worth a column in lists of what refers to the model's objects. */
  beside?: string
  /** Members that pages may show beside those of the API. */
  extra?: Readonly<Record<string, Field<any>>>
  /** Other pages that show what a list's filters find, by their path, and what they are called. */
  views?: Readonly<Record<string, string>>
  /** Query parameters of the filter panel. */
  filters?: Groups
  /** Fields of the form; the comments, the owner and the custom fields come last by themselves. */
  form?: Groups
  /**
   * Fields of the form of a new object that take patterns (`Gi1/0/[1-24]`): the first says how many objects are made
   * and what they are called, the others have one text for all of them, or one for each.
   */
  series?: string
  /** Patterns that the first of them takes, where not those of names. */
  pattern?: string
  /** What people should know of fields of the form, by name; one short sentence. */
  help?: Readonly<Record<string, string>>
  /**
   * Fields of the form that have a use with some values of another alone: names → `mode=tagged access`, where `*`
   * stands for any text, and nothing after the `=` for none: what is chosen there decides them.
   */
  when?: Readonly<Record<string, string>>
  /** The model whose objects a new one may begin as: what both have is taken from the one chosen. */
  template?: string
  /** Fields of bulk edit. */
  bulk?: string
  /** Fields of bulk edit that set the length alone of networks: name → member (`{ mask_length: 'address' }`). */
  lengths?: Readonly<Record<string, string>>
  /** Panels of an object: the first on the left, the others on the right. */
  panels?: Groups
  /** Tables below the panels. */
  tables?: readonly Related[]
  /** Tabs by the last part of their address: a table, or `true` for a page of its own in src/web. */
  tabs?: Readonly<Record<string, Related | true>>
  /**
   * Lines of a printed label below the name: `{site} · U{position}`; parts whose members have no value are left out.
   */
  sticker?: readonly string[]
  /** How much a hit in a member counts in the search over everything: lower comes first. */
  weights?: Readonly<Record<string, number>>
  /**
   * References by which objects become numbered members of another: the field with the number, and others that stand
   * beside it in a table of the members.
   */
  numbered?: Readonly<Record<string, string>>
  /**
   * What a picker of the form offers alone, by the field: filters of its model with texts, or with the value of another
   * field (`$device`) or the object's own id (`$id`), as far as there is one. Of a reference to objects of any kind,
   * `$scope:dcim.site` is the object where it is one, or what it is a part of. A filter that stands there twice means
   * either value.
   */
  offers?: Readonly<Record<string, string>>
  /** Pickers of this model show what matches: query parameter → name of another field of the same form. */
  narrow?: Readonly<Record<string, string>>
}
