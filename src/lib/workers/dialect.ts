/** What templates written for the reference call on related objects and addresses, as filters. */
const Calls: readonly (readonly [RegExp, string])[] = [
  [/\.all\(\)/g, ''],
  [/\.(?:count|exists)\(\)/g, '|length'],
  [/\.first\(\)/g, '[0]'],
  [/\.last\(\)/g, '[-1]'],
  [/\.(address|prefix)\.(ip|network|netmask|broadcast|prefixlen|version|cidr)\b/g, '.$1|address_part("$2")'],
]

/** A template with these calls in its tags as filters; text between the tags stays. */
export const inOurDialect = (source: string): string =>
  source.replace(/\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}/g, (tag) =>
    Calls.reduce((text, [call, filter]) => text.replace(call, filter), tag),
  )
