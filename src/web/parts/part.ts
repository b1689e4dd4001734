import type { Answer } from '../../http/request.ts'
import type { AnyModel } from '../../declare/model.ts'
import type { Html } from '../cells.ts'
import type { FormData } from '../form-data.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'

/** A tab whose page is more than a table of other objects. */
export interface SpecialTab {
  label: string
  /** Models that have it by what they are; a model that declares a tab of this name has it anyway. */
  of?: (m: AnyModel) => boolean
  /** The model whose objects it shows: who may not view those has no such tab. */
  model?: string
  /** How much there is on it, of what the user may see. */
  count?: (visit: Visit, m: AnyModel, row: Row) => number
  body: (visit: Visit, m: AnyModel, row: Row) => Html | Promise<Html>
  /** A file that the query asks for in place of the page. */
  file?: (visit: Visit, m: AnyModel, row: Row) => Promise<Answer | undefined>
  /** What a form of the page asks for. Throws `ApiError`. */
  post?: (visit: Visit, m: AnyModel, row: Row, data: FormData) => Promise<Answer | Again>
}

/** The same page once more, with what is wrong. */
interface Again {
  again: Html
  status: number
}

/**
 * A panel that says more than values of the object: above all, below those on the left or right, or across the page.
 */
export interface SpecialPanel {
  of: (m: AnyModel) => boolean
  side: 'top' | 'left' | 'right' | 'wide'
  show: (visit: Visit, m: AnyModel, row: Row) => Html | '' | Promise<Html | ''>
}
