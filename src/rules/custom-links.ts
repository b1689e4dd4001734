import { Refused } from '../declare/behaviour.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Connection } from '../store/database.ts'
import { addRelated, namesIn, type RelatedObjects, type Shown } from './template-objects.ts'
import { renderTemplate } from './templates.ts'

/** A custom link as it is stored. */
export interface CustomLink {
  id: number
  name: string
  link_text: string
  link_url: string
  group_name: string
  button_class: string
  new_window: number
}
/** A link of an object: its text and address, or what is wrong with its templates. */
export interface Linked {
  link: CustomLink
  text: string
  url: string
  error?: string
}

/** So many links of a model are shown at most. */
const MaxLinks = 30
/** Stands between the text and the address where both are rendered at once; neither may hold it. */
const Between = '\u001f'

/** The links of a model that are enabled, in the order in which they stand. */
export const customLinksOf = (db: Connection, type: string): readonly CustomLink[] =>
  db.all<CustomLink>(
    `select id, name, link_text, link_url, group_name, button_class, new_window from extras_customlink
     where enabled = 1 and exists (select 1 from json_each(object_types) where value = ?)
     order by group_name, weight, name limit ${MaxLinks}`,
    type,
  )

/**
 * Renders a link of an object, which its templates know as `object`; undefined where its text is empty: it is not meant
 * for this one.
 */
export async function renderLink(
  from: RelatedObjects,
  m: AnyModel,
  link: CustomLink,
  object: Shown,
  userId: number | null,
): Promise<Linked | undefined> {
  const source = `${link.link_text}${Between}${link.link_url}`
  try {
    addRelated(from, m, [object], namesIn(source))
    const made = await renderTemplate(
      { name: link.name, template_code: source, environment_params: null, debug: 0 },
      JSON.stringify({ object }),
      ['object'],
      userId,
    )
    const [text = '', url = ''] = made.split(Between).map((part) => part.trim())
    return text ? { link, text, url } : undefined
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { link, text: link.name, url: '', error: error.message }
  }
}
