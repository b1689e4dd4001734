import type { AnyModel } from '../../declare/model.ts'
import { cablePanels } from './cable.ts'
import { changeCompany, changeDifference } from './change.ts'
import { changelog } from './changelog.ts'
import { connection } from './connection.ts'
import { configContext } from './config-context.ts'
import { contacts } from './contacts.ts'
import { content } from './data-file.ts'
import { imagePanel, imageTab } from './images.ts'
import { jobLog } from './job-log.ts'
import { interfacePanels } from './interface.ts'
import { journal } from './journal.ts'
import { nextAddress } from './next-address.ts'
import { portMappings } from './port-mappings.ts'
import { powerPanel } from './power.ts'
import { addressing, rangeParents } from './prefix.ts'
import { renderConfig } from './render-config.ts'
import { spaceTab } from './space.ts'
import type { SpecialPanel, SpecialTab } from './part.ts'
import { deliveries, undelivered } from './deliveries.ts'
import { linkPreview, templateTrial } from './previews.ts'
import { tryPermission } from './permission.ts'
import { tagObjects } from './tag-objects.ts'
import { userAccess } from './user-access.ts'
import { userSignIn } from './user-sign-in.ts'
import { deviceElevations, rackElevations, reservationElevations } from './rack-tool.ts'
import { reportPanel, reportResults } from './report.ts'
import { tokenUse } from './token-use.ts'
import { exportTemplateTrial } from './template-trial.ts'
import { traceTab } from './trace.ts'

/** Tabs with pages of their own, by the last part of their address, in the order in which they stand. */
export const specialTabs: Readonly<Record<string, SpecialTab>> = {
  trace: traceTab,
  try: tryPermission,
  access: userAccess,
  'sign-in': userSignIn,
  objects: tagObjects,
  deliveries,
  preview: linkPreview,
  render: templateTrial,
  trial: exportTemplateTrial,
  configcontext: configContext,
  'render-config': renderConfig,
  results: reportResults,
  log: jobLog,
  prefixes: spaceTab('Child prefixes', 'ipam.prefix', true),
  ipaddresses: spaceTab('IP addresses', 'ipam.ipaddress', true),
  vlans: spaceTab('VLANs', 'ipam.vlan', false),
  asns: spaceTab('ASNs', 'ipam.asn', true),
  contacts,
  'image-attachments': imageTab,
  journal,
  changelog,
}

const panels: readonly SpecialPanel[] = [
  undelivered,
  nextAddress,
  addressing,
  rangeParents,
  content,
  connection,
  portMappings,
  ...cablePanels,
  powerPanel,
  tokenUse,
  ...interfacePanels,
  imagePanel,
  changeDifference,
  changeCompany,
  rackElevations,
  deviceElevations,
  reservationElevations,
  reportPanel,
]

/** The special panels of a model on one side of its page. */
export const panelsOf = (m: AnyModel, side: SpecialPanel['side']): readonly SpecialPanel[] =>
  panels.filter((panel) => panel.side === side && panel.of(m))
