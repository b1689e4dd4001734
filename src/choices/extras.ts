export const CustomFieldChoiceColorChoices = [
  ['blue', 'Blue'],
  ['indigo', 'Indigo'],
  ['purple', 'Purple'],
  ['pink', 'Pink'],
  ['red', 'Red'],
  ['orange', 'Orange'],
  ['yellow', 'Yellow'],
  ['green', 'Green'],
  ['teal', 'Teal'],
  ['cyan', 'Cyan'],
  ['gray', 'Gray'],
  ['black', 'Black'],
  ['white', 'White'],
] as const
export const CustomFieldChoiceSetBaseChoices = [
  ['IATA', 'IATA (Airport codes)'],
  ['ISO_3166', 'ISO 3166 (Country codes)'],
  ['UN_LOCODE', 'UN/LOCODE (Location codes)'],
] as const
export const CustomFieldFilterLogicChoices = [
  ['disabled', 'Disabled'],
  ['loose', 'Loose'],
  ['exact', 'Exact'],
] as const
export const CustomFieldTypeChoices = [
  ['text', 'Text'],
  ['longtext', 'Text (long)'],
  ['integer', 'Integer'],
  ['decimal', 'Decimal'],
  ['boolean', 'Boolean (true/false)'],
  ['date', 'Date'],
  ['datetime', 'Date & time'],
  ['url', 'URL'],
  ['json', 'JSON'],
  ['select', 'Selection'],
  ['multiselect', 'Multiple selection'],
  ['object', 'Object'],
  ['multiobject', 'Multiple objects'],
] as const
export const CustomFieldUIEditableChoices = [
  ['yes', 'Yes'],
  ['no', 'No'],
  ['hidden', 'Hidden'],
] as const
export const CustomFieldUIVisibleChoices = [
  ['always', 'Always'],
  ['if-set', 'If set'],
  ['hidden', 'Hidden'],
] as const
export const CustomLinkButtonClassChoices = [
  ['default', 'Default'],
  ['blue', 'Blue'],
  ['indigo', 'Indigo'],
  ['purple', 'Purple'],
  ['pink', 'Pink'],
  ['red', 'Red'],
  ['orange', 'Orange'],
  ['yellow', 'Yellow'],
  ['green', 'Green'],
  ['teal', 'Teal'],
  ['cyan', 'Cyan'],
  ['gray', 'Gray'],
  ['black', 'Black'],
  ['white', 'White'],
  ['ghost-dark', 'Link'],
] as const
export const EventRuleActionChoices = [
  ['webhook', 'Webhook'],
  ['script', 'Script'],
  ['notification', 'Notification'],
] as const
export const EventTypeChoices = [
  ['object_created', 'Object created'],
  ['object_updated', 'Object updated'],
  ['object_deleted', 'Object deleted'],
  ['job_started', 'Job started'],
  ['job_completed', 'Job completed'],
  ['job_failed', 'Job failed'],
  ['job_errored', 'Job errored'],
] as const
export const JournalEntryKindChoices = [
  ['info', 'Info'],
  ['success', 'Success'],
  ['warning', 'Warning'],
  ['danger', 'Danger'],
] as const
export const WebhookHttpMethodChoices = [
  ['GET', 'GET'],
  ['POST', 'POST'],
  ['PUT', 'PUT'],
  ['PATCH', 'PATCH'],
  ['DELETE', 'DELETE'],
] as const
export const ReportChartChoices = [
  ['bar', 'Bars'],
  ['line', 'Lines'],
  ['share', 'Shares of a whole'],
] as const
