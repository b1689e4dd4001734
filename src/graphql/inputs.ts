/**
 * An input: the types of its members, by name; `isOne`: exactly one of them is given; `preset`: what is taken for those
 * left out.
 */
export interface Input {
  readonly members: Readonly<Record<string, string>>
  readonly isOne?: boolean
  readonly preset?: Readonly<Record<string, unknown>>
}

const all = (names: string, type: string): Record<string, string> =>
  Object.fromEntries(names.split(' ').map((name) => [name, type]))

const exactly = (type: string) => ({ exact: type, is_null: 'Boolean', in_list: `[${type}!]` })
const Texts = 'i_exact contains i_contains starts_with i_starts_with ends_with i_ends_with regex i_regex'
const asText = (type: string): Input => ({ members: { ...exactly(type), ...all(Texts, type) } })
const ordered = (type: string, range: string) => ({ ...exactly(type), ...all('gt gte lt lte', type), range })
const range = (type: string): Input => ({
  members: { start: type, end: type },
  preset: { start: null, end: null },
})
const Days = 'year month day week_day iso_week_day week iso_year quarter'
const Clock = 'hour minute second'
const number = all(Days, 'IntComparisonFilterLookup')
const clock = all(Clock, 'IntComparisonFilterLookup')
const list = (type: string): Input => ({
  isOne: true,
  members: { ...all('contains contained_by overlap', `[${type}!]`), length: 'Int' },
})
/** Lookups of a kind of number, each an input of its own, and the one that is exactly one of them. */
const numbers = (name: string, scalar: string, whole: string): Record<string, Input> => ({
  [`${name}FilterLookup`]: asText(scalar),
  [`${name}ComparisonFilterLookup`]: { members: ordered(scalar, `${name}RangeLookup`) },
  [`${name}RangeLookup`]: range(scalar),
  [whole]: {
    isOne: true,
    members: {
      filter_lookup: `${name}FilterLookup`,
      range_lookup: `${name}RangeLookup`,
      comparison_lookup: `${name}ComparisonFilterLookup`,
    },
  },
})

/** Inputs that compare values, whatever the model. */
export const inputs: Readonly<Record<string, Input>> = {
  ...numbers('Int', 'Int', 'IntegerLookup'),
  ...numbers('BigInt', 'BigInt', 'BigIntegerLookup'),
  ...numbers('Float', 'Float', 'FloatLookup'),
  BoolFilterLookup: asText('Boolean'),
  StrFilterLookup: asText('String'),
  StrRangeLookup: range('String'),
  IDComparisonFilterLookup: { members: ordered('ID', 'IDRangeLookup') },
  IDRangeLookup: range('ID'),
  DateFilterLookup: { members: { ...ordered('Date', 'DateRangeLookup'), ...number } },
  DateComparisonFilterLookup: { members: ordered('Date', 'DateRangeLookup') },
  DateRangeLookup: range('Date'),
  DatetimeFilterLookup: {
    members: {
      ...ordered('DateTime', 'DatetimeRangeLookup'),
      ...number,
      ...clock,
      date: 'DateComparisonFilterLookup',
      time: 'TimeComparisonFilterLookup',
    },
  },
  DatetimeRangeLookup: range('DateTime'),
  TimeComparisonFilterLookup: { members: ordered('Time', 'TimeRangeLookup') },
  TimeRangeLookup: range('Time'),
  StrDateFilterLookup: { members: { ...ordered('String', 'StrRangeLookup'), ...number } },
  StrDatetimeFilterLookup: {
    members: {
      ...ordered('String', 'StrRangeLookup'),
      ...number,
      ...clock,
      ...all('date time', 'IntComparisonFilterLookup'),
    },
  },
  StrTimeFilterLookup: {
    members: {
      ...ordered('String', 'StrRangeLookup'),
      ...clock,
      ...all('date time', 'IntComparisonFilterLookup'),
    },
  },
  IntegerArrayLookup: list('Int'),
  StringArrayLookup: list('String'),
  IntegerRangeArrayLookup: { isOne: true, members: { contains: 'Int' } },
  ExtraChoicesLookup: { isOne: true, members: { contains: 'String', length: 'Int' } },
  JSONFilter: { members: { path: 'String!', lookup: 'JSONLookup!' } },
  JSONLookup: {
    isOne: true,
    members: {
      string_lookup: 'JSONStringLookup',
      int_range_lookup: 'IntRangeLookup',
      int_comparison_lookup: 'IntComparisonFilterLookup',
      float_range_lookup: 'FloatRangeLookup',
      float_comparison_lookup: 'FloatComparisonFilterLookup',
      date_lookup: 'StrDateFilterLookup',
      datetime_lookup: 'StrDatetimeFilterLookup',
      time_lookup: 'StrTimeFilterLookup',
      boolean_lookup: 'BoolFilterLookup',
    },
  },
  JSONStringLookup: { members: { exact: 'String', ...all(Texts, 'String'), in_: '[String!]', isnull: 'Boolean' } },
  TreeNodeFilter: { members: { id: 'ID!', match_type: 'TreeNodeMatch!' } },
  OffsetPaginationInput: {
    members: { offset: 'Int!', limit: 'Int', start: 'Int' },
    preset: { offset: 0 },
  },
}

/** How a filter on a node of a tree takes those around it. */
export const TreeMatches = [
  'EXACT',
  'DESCENDANTS',
  'SELF_AND_DESCENDANTS',
  'CHILDREN',
  'SIBLINGS',
  'ANCESTORS',
  'PARENT',
] as const

/** Types of objects that are made of one value, and the types of their members. */
export const parts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ContentTypeType: { id: 'ID!', app_label: 'String!', model: 'String!' },
  DjangoImageType: {
    name: 'String!',
    path: 'String!',
    size: 'Int!',
    url: 'String!',
    width: 'Int!',
    height: 'Int!',
  },
  DjangoModelType: { pk: 'ID!' },
  IPAddressFamilyType: { value: 'Int!', label: 'String!' },
}
