import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { Visit } from './visit.ts'
import type { Control } from '../fields/control.ts'
import type { Field } from '../fields/field.ts'
import { allModels, modelNamed, typesWith } from '../engine/catalog.ts'
import { isFoundAsCalled } from '../engine/filters.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Html } from './cells.ts'
import { namesOf } from './displays.ts'
import type { Narrow } from './narrowing.ts'
import { pluralOf, titleOf } from './words.ts'

/** What a control is drawn with: its name and id in the form, the texts that it holds, and how it is described. */
interface Given {
  name: string
  /** Texts as the form sends them. */
  values: readonly string[]
  required?: boolean
  /** Ids of what describes it: help and errors. */
  describedBy?: string | undefined
  invalid?: boolean
  /** What a picker offers alone. */
  narrow?: Narrow | undefined
  /** A filter: nothing chosen means anything goes. */
  filter?: boolean
  /** Where the choices of a filter are asked for, when there are many. */
  choicesAt?: string
  /** Every object has one, so that nothing is found by asking for none. */
  always?: boolean
  /** Parameter of the same filter that takes a slug. */
  plain?: string | undefined
  /** Objects may be made on the spot, at this address. */
  quickAdd?: string | undefined
  /** The form by which an object is made. */
  addPage?: string | undefined
  /** The object is there already. */
  isStored?: boolean
}

/** The HTML of a control. */
export function controlHtml(call: Visit, control: Control, given: Given): Html {
  return (drawn[control.as] as (call: Visit, control: Control, given: Given) => Html)(call, control, given)
}

const attributes = ({ name, required, describedBy, invalid }: Given) => {
  const isRequired = required ? ' required' : ''
  const described = describedBy ? ` aria-describedby="${describedBy}"` : ''
  return raw(`id="f-${name}" name="${name}"${isRequired}${described}${invalid ? ' aria-invalid="true"' : ''}`)
}
const attribute = (name: string, value: unknown) => (value === undefined ? '' : raw(` ${name}="${String(value)}"`))

const drawn: { [K in Control['as']]: (call: Visit, control: Extract<Control, { as: K }>, given: Given) => Html } = {
  line: (_, { type, max, least, most, step, from, again }, given) =>
    html`<input ${attributes(given)}${type === 'text' ? '' : raw(` type="${type}"`)}${
      type === 'password' ? raw(' autocomplete="new-password"') : ''
    }${
      given.values[0] ? html` value="${given.values[0]}"` : ''
    }${attribute('maxlength', max)}${attribute('min', least)}${attribute('max', most)}${attribute('step', step)}${
      from ? raw(` data-from="${from}"`) : ''
    }>${type === 'password' && given.isStored && !given.required && !again ? cleared(given) : ''}`,
  area: (_, { markdown, code, max }, given) =>
    html`<textarea ${attributes(given)} rows="${code ? 10 : markdown ? 6 : 3}"${attribute('maxlength', max)}${
      code ? raw(' class="code" spellcheck="false"') : ''
    }>${given.values[0]?.startsWith('\n') ? '\n' : ''}${given.values[0] ?? ''}</textarea>`, // the first one is dropped
  color: (_, _control, given) =>
    html`<span class="color"><input ${attributes(given)} type="text" value="${given.values[0] ?? ''}"
      pattern="[0-9a-fA-F]{6}" maxlength="6" placeholder="9e9e9e"><input type="color" data-color="f-${given.name}"
        value="#${
          /^[0-9a-f]{6}$/i.test(given.values[0] ?? '') ? given.values[0]! : '9e9e9e'
        }" aria-label="Choose a colour"></span>`,
  check: (_, _control, given) =>
    given.filter
      ? truths(given)
      : html`<input ${attributes(given)} type="checkbox" value="true"${
          given.values[0] === 'true' ? raw(' checked') : ''
        }>`,
  truth: (_, _control, given) => truths(given),
  choice: (_, { choices, multiple }, given) => {
    const many = multiple ?? false
    if (many && given.choicesAt && choices.length > ManyChoices) return fetched(given.choicesAt, choices, given)
    const chosen = new Set(given.values)
    const empty =
      many || (given.required && given.values[0]) ? '' : html`<option value="">${given.filter ? 'Any' : '—'}</option>`
    const option = ([value, label]: Control extends never ? never : readonly [string | number, string, string?]) =>
      html`<option value="${value}"${
        chosen.has(String(value)) ? raw(' selected') : ''
      }>${label}${given.filter ? '' : raw('</option>')}`
    const groups = [...new Set(choices.map(([, , group]) => group ?? ''))]
    const options =
      groups.length > 1
        ? groups.map((group) => {
            const own = choices.filter((choice) => (choice[2] ?? '') === group).map(option)
            return group ? html`<optgroup label="${group}">${own}</optgroup>` : own
          })
        : choices.map(option)
    return html`<select ${attributes(given)}${
      many ? raw(' multiple data-many') : choices.length > 12 ? raw(' data-many') : ''
    }>${empty}${options}</select>`
  },
  pick: (call, { model, multiple, by }, given) =>
    picker(call, modelNamed(model), { ...given, multiple: multiple ?? false, by }),
  object: (call, { models, multiple }, given) => {
    const offered = targetsOf(models)
    if (multiple) return several(call, offered, given)
    const [type = '', id = ''] = given.values
    // The API may have been given what forms do not offer: they keep it.
    const kept = given.isStored ? allModels.filter((m) => m.name === type && !offered.includes(m)) : []
    const targets = [...offered, ...kept]
    const chosen = targets.find((m) => m.name === type)
    return html`<span class="pair"><select id="f-${given.name}" name="${given.name}_type"
      data-kind="f-${given.name}-id"${
        given.invalid ? raw(' aria-invalid="true"') : ''
      }><option value="">—</option>${targets.map(
        (m) =>
          html`<option value="${m.name}" data-source="${source(call, m)}"${inside(call, m)}${
            m.name === type ? raw(' selected') : ''
          }>${kindOf(m, targets)}</option>`,
      )}</select>${given.narrow ? '' : within(call, targets, chosen, given.name, id)}${objectPicker(
        call,
        chosen ?? targets[0]!,
        `${given.name}_id`,
        `f-${given.name}-id`,
        id,
        given.narrow,
      )}</span>`
  },
  types: (_, { feature, multiple }, given) => {
    const chosen = new Set(given.values)
    const names = allModels.filter((m) => typesWith(feature).has(m.name) && !m.internal)
    return html`<select ${attributes(given)}${multiple ? raw(' multiple size="3"') : ''} data-many>${
      multiple ? '' : html`<option value="">—</option>`
    }${names.map(
      (m) =>
        html`<option value="${m.name}"${chosen.has(m.name) ? raw(' selected') : ''}>${pluralOf(m)} (${m.app})</option>`,
    )}</select>`
  },
  list: (_, { lines }, given) =>
    lines
      ? html`<textarea ${attributes(given)} rows="6">${given.values.join('\n')}</textarea>`
      : html`<input ${attributes(given)} type="text" value="${given.values.join(', ')}">`,
  file: (_, { image }, given) => {
    const [kept] = given.isStored ? given.values : []
    const own = kept ? { ...given, required: false } : given
    return html`<span class="file">${
      kept ? html`<a href="${kept}" target="_blank">${decodeURIComponent(kept.split('/').at(-1)!)}</a>` : ''
    }<input ${attributes(own)} type="file"${image ? raw(' accept="image/*"') : ''}>${
      kept && !given.required ? cleared(given) : ''
    }</span>`
  },
  custom: () => html``,
}

type Choices = Extract<Control, { as: 'choice' }>['choices']

/** More choices than these are fetched where they are first needed: a filter panel stays small. */
const ManyChoices = 40
const versions = new WeakMap<Choices, string>()

/** Differs where choices do: browsers keep those of a version for good. */
export function versionOf(choices: Choices): string {
  const known = versions.get(choices)
  const version = known ?? createHash('sha256').update(JSON.stringify(choices)).digest('hex').slice(0, 8)
  if (!known) versions.set(choices, version)
  return version
}

/** Many choices of a filter, which are asked for at an address; without scripts, a line that takes a value. */
function fetched(address: string, choices: Choices, given: Given): Html {
  const chosen = choices.filter(([value]) => given.values.includes(String(value)))
  return html`<select ${attributes(given)} multiple data-choices="${address}&amp;v=${versionOf(choices)}">${chosen.map(
    ([value, label]) => html`<option value="${value}" selected>${label}</option>`,
  )}</select><noscript><input name="${given.name}" placeholder="Value"></noscript>`
}

/** The reference of a model to what its objects are parts of: the device of an interface. */
export const wholeOf = (m: AnyModel): { name: string; model: AnyModel } | undefined => {
  const name = [m.relatedObject ?? [], 'device', 'virtual_machine']
    .flat()
    .find((each) => m.fields[each]?.target && m.fields[each].required)
  const target = name && (m.fields[name] as Field).target
  return target ? { name: name!, model: modelNamed(target.model) } : undefined
}

/** Where the objects of a kind are parts of others: these, and the parameter that narrows by one of them. */
function inside(call: Visit, m: AnyModel): Html | string {
  const whole = wholeOf(m)
  return whole
    ? html` data-within="${source(call, whole.model)}" data-by="${whole.name}_id" data-label="${titleOf(whole.model)}"`
    : ''
}

/**
 * A picker of what an object is part of, to find it by; scripts show it where the kind has one. It sends nothing that
 * is read.
 */
function within(
  call: Visit,
  targets: readonly AnyModel[],
  m: AnyModel | undefined,
  name: string,
  id: string,
): Html | '' {
  if (!targets.some(wholeOf)) return ''
  const whole = m && wholeOf(m)
  const isKnown = whole && /^\d{1,15}$/.test(id) && call.store.reader.mayOn(call.actor, 'view', m, Number(id)) === true
  const [row] = isKnown ? call.store.reader.rows(m, [Number(id)], { members: [whole.name] }, call.config.basePath) : []
  const of = row && (JSON.parse(String(row)) as Record<string, { id: number; display: string } | null>)[whole!.name]
  const chosen = of ? html`<option value="${of.id}" selected>${of.display}</option>` : ''
  return html`<span class="within" hidden><select id="f-${name}-within" name="_within_${name}"
    aria-label="Of"><option value="">—</option>${chosen}</select></span>`
}

/** What a model is called among others: two of them are called Interface. */
const kindOf = (m: AnyModel, among: readonly AnyModel[]): string =>
  among.some((other) => other !== m && titleOf(other) === titleOf(m)) ? `${titleOf(m)} (${m.app})` : titleOf(m)

/** The models that a generic reference may lead to. */
export const targetsOf = (models: readonly string[] | `feature:${string}`): AnyModel[] =>
  (typeof models === 'string' ? [...typesWith(models.slice('feature:'.length))] : models).map(modelNamed)

/** A box that takes away what is there. */
const cleared = ({ name }: Given): Html =>
  html`<label class="clear"><input type="checkbox" name="${name}__clear" value="true"> remove what is there</label>`

function truths(given: Given): Html {
  const [value = ''] = given.values
  return html`<select ${attributes(given)}>${[
    ['', given.filter ? 'Any' : '—'],
    ['true', 'Yes'],
    ['false', 'No'],
  ].map(([own, label]) => html`<option value="${own!}"${own === value ? raw(' selected') : ''}>${label!}`)}</select>`
}

/**
 * Where a picker finds the objects of a model, the member that says what one is below, as names come again in trees,
 * and whether they are found by what they are called.
 */
function source(call: Visit, m: AnyModel): string {
  const told = [...(m.tree ? [`above=${m.tree.parent}`] : []), ...(isFoundAsCalled(m) ? ['called=1'] : [])]
  return `${call.config.basePath}/api/${m.path}/${told.length ? `#${told.join('&')}` : ''}`
}

/** Objects of a model to choose from as one types; without scripts, a line that takes an id, a slug or a name. */
function picker(call: Visit, m: AnyModel, given: Given & { multiple: boolean; by?: string | undefined }): Html {
  const { multiple, by } = given
  const values = given.values.filter((value) => value !== '')
  const names = namesOf(call, m, values, by)
  const chosen = values.map((value, i) => [value, names[i]!] as const)
  const narrow = narrowing(given.narrow)
  const key = by && by !== 'id' ? attribute('data-by', by) : ''
  const more = given.addPage
    ? html`<a class="new" href="${given.addPage}" target="_blank" data-new="f-${given.name}" aria-label="New ${m.label}"
      title="New ${m.label}">+</a>`
    : ''
  // Without scripts nothing can be chosen in it: what is required is typed beside it.
  const chooser = html`<select ${attributes({ ...given, required: false })}${
    given.required ? raw(' data-must') : ''
  } data-source="${source(call, m)}"${key}${narrow}${multiple ? raw(' multiple') : ''}${
    given.quickAdd ? attribute('data-add', given.quickAdd) : ''
  }>${
    multiple ? '' : html`<option value="">${given.filter ? 'Any' : '—'}</option>`
  }${chosen.map(([value, text]) => html`<option value="${value}" selected>${text}</option>`)}${
    given.filter && !given.always
      ? html`<option value="null"${values.includes('null') ? raw(' selected') : ''}>None`
      : ''
  }</select>${unscripted(given)}`
  return more ? html`<span class="with-new">${chooser}${more}</span>` : chooser
}

/**
 * What stands beside a picker where no script fills it: a filter takes what its parameter takes, a form finds names
 * too.
 */
const unscripted = ({ name, filter, plain }: Given): Html =>
  filter
    ? html`<noscript><input name="${plain ?? name}" placeholder="${plain ? 'Slug' : 'Id'}"></noscript>`
    : html`<noscript><input name="${name}" placeholder="Id, slug or name"></noscript>`

/** The attribute by which scripts narrow what a picker offers. */
const narrowing = (narrow: Narrow | undefined) =>
  narrow ? raw(` data-narrow='${JSON.stringify(narrow).replaceAll("'", '&#39;')}'`) : ''

function objectPicker(call: Visit, m: AnyModel, name: string, id: string, value: string, narrow?: Narrow): Html {
  const text = value && namesOf(call, m, [value], undefined)[0]!
  return html`<select id="${id}" name="${name}" data-source="${source(call, m)}"${narrowing(narrow)}
    aria-label="Object"><option value="">—</option>${
      value ? html`<option value="${value}" selected>${text}</option>` : ''
    }</select><noscript><input name="${name}" aria-label="Id of the object" placeholder="id"></noscript>`
}

/** Objects of several models: rows of a kind and an object each, the last one empty. */
function several(call: Visit, targets: readonly AnyModel[], given: Given): Html {
  const pairs: [string, string][] = []
  for (let i = 0; i < given.values.length; i += 2) pairs.push([given.values[i]!, given.values[i + 1] ?? ''])
  return html`<span class="several" id="f-${given.name}" data-several>${[...pairs, ['', ''] as [string, string]].map(
    ([type, id], i) =>
      html`<span class="pair"><select id="f-${given.name}-${i}" name="${given.name}_type"
        data-kind="f-${given.name}-${i}-id" aria-label="Kind"><option value="">—</option>${targets.map(
          (m) =>
            html`<option value="${m.name}" data-source="${source(call, m)}"${
              m.name === type ? raw(' selected') : ''
            }>${kindOf(m, targets)}</option>`,
        )}</select>${objectPicker(
          call,
          targets.find((m) => m.name === type) ?? targets[0]!,
          `${given.name}_id`,
          `f-${given.name}-${i}-id`,
          id,
        )}</span>`,
  )}</span>`
}
