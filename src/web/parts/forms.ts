import type { AnyModel } from '../../declare/model.ts'
import type { WriteTools } from '../../declare/behaviour.ts'
import type { Afterwards } from '../../http/resource.ts'
import type { Html } from '../cells.ts'
import type { FormData } from '../form-data.ts'
import type { FormGroup } from '../form-fields.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import { addressForm } from './address-form.ts'
import { chassisForm } from './chassis-form.ts'
import { choiceSetForm } from './choice-set-form.ts'
import { fhrpForm } from './fhrp-form.ts'
import { frontPortForm } from './front-port-form.ts'
import { groupForm } from './group-form.ts'
import { moduleTypeForm } from './module-type-form.ts'
import { permissionForm } from './permission.ts'
import { cableForm, traceOf } from './cable-form.ts'
import { dataSourceForm } from './data-source-form.ts'
import { deviceForm } from './rack-form.ts'
import { reportForm } from './report.ts'
import { userForm } from './user-form.ts'
import { configTemplateForm, exportTemplateForm } from './template-trial.ts'

/** What the form of a model has that its fields do not say. */
export interface SpecialForm {
  /** The groups of the form in the place of those of its fields. */
  groups: (visit: Visit, groups: readonly FormGroup[]) => FormGroup[]
  /** What a button of the form that saves nothing asked to see. */
  tried?: (visit: Visit, data: FormData) => Promise<Html>
  /**
   * Changes to other objects in the transaction that wrote the form's own. Throws `Refused`, by the names of the form's
   * fields.
   */
  saved?: (tools: WriteTools, id: number, data: FormData, visit: Visit) => void
  /** A link that the message shows after an object was saved. */
  next?: (visit: Visit, row: Row) => readonly [href: string, label: string] | undefined
}

const forms: Readonly<Record<string, SpecialForm>> = {
  'core.datasource': dataSourceForm,
  'users.group': groupForm,
  'users.objectpermission': { groups: permissionForm },
  'users.user': userForm,
  'dcim.cable': { groups: cableForm, next: traceOf },
  'dcim.device': { groups: deviceForm },
  'dcim.frontport': frontPortForm('dcim.rearport'),
  'dcim.frontporttemplate': frontPortForm('dcim.rearporttemplate'),
  'dcim.moduletype': moduleTypeForm,
  'dcim.virtualchassis': chassisForm,
  'ipam.ipaddress': addressForm,
  'ipam.fhrpgroup': fhrpForm,
  'extras.customfieldchoiceset': choiceSetForm,
  'extras.exporttemplate': exportTemplateForm,
  'extras.configtemplate': configTemplateForm,
  'extras.report': reportForm,
}

/** The special form of a model, if it has one. */
export const specialForm = (m: AnyModel): SpecialForm | undefined => forms[m.name]

/** What a special form does once its object is written, in the same transaction. */
export function afterwards(visit: Visit, m: AnyModel, data: FormData): Afterwards | undefined {
  const saved = specialForm(m)?.saved
  return saved && ((tools, id) => saved(tools, id, data, visit))
}
