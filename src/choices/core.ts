export const DataSourceStatusChoices = [
  ['new', 'New'],
  ['queued', 'Queued'],
  ['syncing', 'Syncing'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
] as const
export const DataSourceTypeChoices = [
  ['local', 'Local'],
  ['git', 'Git'],
  ['amazon-s3', 'Amazon S3'],
] as const
export const JobIntervalChoices = [
  [1, 'Minutely'],
  [60, 'Hourly'],
  [720, '12 hours'],
  [1440, 'Daily'],
  [10080, 'Weekly'],
  [43200, '30 days'],
] as const
export const JobNotificationChoices = [
  ['always', 'Always'],
  ['on_failure', 'On failure'],
  ['never', 'Never'],
] as const
export const JobStatusChoices = [
  ['pending', 'Pending'],
  ['scheduled', 'Scheduled'],
  ['running', 'Running'],
  ['completed', 'Completed'],
  ['errored', 'Errored'],
  ['failed', 'Failed'],
] as const
export const ObjectChangeActionChoices = [
  ['create', 'Created'],
  ['update', 'Updated'],
  ['delete', 'Deleted'],
] as const
