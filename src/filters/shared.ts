import { conditionFilter } from './boolean.ts'
import {
  allOf,
  amongRows,
  anyOf,
  FilterError,
  type Ids,
  isList,
  not,
  type Filter,
  type FilterContext,
} from './filter.ts'
import { dateFilter } from './number.ts'
import { relatedFilter } from './related.ts'
import { methodFilter } from './method.ts'
import { uuidOf } from './string.ts'

/** Both parameters of a related object: `<name>_id` by id, `<name>` by slug or another attribute. */
export const relatedBy = (
  name: string,
  model: string,
  options?: { path?: string; by?: string; tree?: boolean },
): Record<string, Filter> => {
  const path = options?.path ?? name
  const tree = options?.tree ?? false
  return {
    [`${name}_id`]: relatedFilter(path, model, { tree }),
    [name]: relatedFilter(path, model, { by: options?.by ?? 'slug', tree }),
  }
}

/** `?tag=a&tag=b`: rows that have every tag; `__any` one of them, `__n` none. */
function tagFilter(by: 'slug' | 'id'): Filter {
  const tagged = (sets: readonly Ids[], c: FilterContext) => {
    c.uses('extras_taggeditem')
    return `select object_id from extras_taggeditem
      where object_type = '${c.model.name}' and ${amongRows('tag_id', sets, c.bind)}`
  }
  /**
   * Rows that are in each of some sets: an index gives each set in order, so that few are merged without looking at the
   * rows; of many the tags that a row has are counted.
   */
  const inEach = (sets: readonly Ids[], c: FilterContext): string => {
    const found = isList(sets)
      ? `${tagged(sets, c)} group by object_id having count(distinct tag_id) = ${c.bind(new Set(sets.flat()).size)}`
      : sets.map((set) => tagged([set], c)).join(' intersect ')
    return `${c.t}.id in (${found})`
  }
  const untagged = (c: FilterContext) => {
    c.uses('extras_taggeditem')
    return `${c.t}.id not in (select object_id from extras_taggeditem where object_type = '${c.model.name}')`
  }
  return {
    lookups: ['n', 'any'],
    multiple: true,
    control: { as: 'pick', model: 'extras.tag', multiple: true, by },
    schema: { type: by === 'id' ? 'integer' : 'string' },
    compile: (values, lookup, c) => {
      const given = [...new Set(values)]
      const sets = given.flatMap((value) => {
        if (value === 'null') return []
        const ids = by === 'id' && !/^\d{1,15}$/.test(value) ? [] : c.idsOf('extras.tag', by, value)
        if (ids.length === 0)
          throw new FilterError(`Select a valid choice. ${value} is not one of the available choices.`)
        return [ids]
      })
      const without = given.includes('null') ? [untagged(c)] : []
      if (lookup === '') return allOf([...(sets.length ? [inEach(sets, c)] : []), ...without])
      const any = anyOf([...(sets.length ? [`${c.t}.id in (${tagged(sets, c)})`] : []), ...without])
      return lookup === 'n' ? not(any) : any
    },
  }
}
/** Rows of a personal model that whoever asks may apply: enabled, and shared or their own. */
export const usableFilter = conditionFilter(
  (t, c) => `${t}.enabled = 1 and (${t}.shared = 1 or ${t}.user_id = ${c.bind(c.userId)})`,
)

export const tagFilters: Record<string, Filter> = { tag: tagFilter('slug'), tag_id: tagFilter('id') }

const byRequest = (actions: readonly string[]): Filter =>
  methodFilter(
    ([value], c) => {
      const id = uuidOf(value!)
      c.uses('core_objectchange')
      return `${c.t}.id in (select changed_object_id from core_objectchange
        where request_id = ${c.bind(id)} and changed_object_type = '${c.model.name}'
          and action in (${actions.map((a) => `'${a}'`).join(', ')}))`
    },
    { single: true, format: 'uuid' },
  )

/** Parameters of every model that is in the change log. */
export const changelogFilters: Record<string, Filter> = {
  created: dateFilter('created', 'datetime'),
  last_updated: dateFilter('last_updated', 'datetime'),
  created_by_request: byRequest(['create']),
  updated_by_request: byRequest(['update']),
  modified_by_request: byRequest(['create', 'update']),
}
export const ownerFilters = {
  ...relatedBy('owner_group', 'users.ownergroup', { path: 'owner.group', by: 'name' }),
  ...relatedBy('owner', 'users.owner', { by: 'name' }),
}
/** Parameters of a tree: the row above, or any row above. */
export const treeFilters = (model: string): Record<string, Filter> => ({
  parent: relatedFilter('parent', model, { by: 'slug' }),
  ancestor_id: relatedFilter('parent', model, { tree: true }),
  ancestor: relatedFilter('parent', model, { by: 'slug', tree: true }),
})
/** Parameters of nearly every model. */
export const primaryFilters = { ...changelogFilters, ...ownerFilters }
export const tenancyFilters = {
  ...relatedBy('tenant_group', 'tenancy.tenantgroup', { path: 'tenant.group', tree: true }),
  ...relatedBy('tenant', 'tenancy.tenant'),
}
export const contactFilters: Record<string, Filter> = {
  contact: relatedFilter('contacts.contact', 'tenancy.contact'),
  contact_role: relatedFilter('contacts.role', 'tenancy.contactrole'),
  contact_group: relatedFilter('contacts.contact.groups', 'tenancy.contactgroup', { tree: true }),
}
/** Parameters of what stands at a site: the site at `path`, its region and its group. */
export const siteFilters = (path = 'site'): Record<string, Filter> => ({
  ...relatedBy('region', 'dcim.region', { path: `${path}.region`, tree: true }),
  ...relatedBy('site_group', 'dcim.sitegroup', { path: `${path}.group`, tree: true }),
  ...relatedBy('site', 'dcim.site', { path }),
})
/** Parameters of what is somewhere by its scope, or by what it ends at. */
export const scopedFilters = {
  ...relatedBy('region', 'dcim.region', { path: '_region', tree: true }),
  ...relatedBy('site_group', 'dcim.sitegroup', { path: '_site_group', tree: true }),
  ...relatedBy('site', 'dcim.site', { path: '_site' }),
  ...relatedBy('location', 'dcim.location', { path: '_location', tree: true }),
}
