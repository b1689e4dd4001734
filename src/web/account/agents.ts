const Browsers: readonly (readonly [has: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]
const Systems: readonly (readonly [has: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** What a browser calls itself in a few words: `Firefox on Linux`. Of others, the beginning of what they say. */
export function agentWords(agent: string): string {
  const found = (all: typeof Browsers) => all.find(([has]) => has.test(agent))?.[1]
  const [browser, system] = [found(Browsers), found(Systems)]
  if (!browser) return agent.slice(0, 60)
  return system ? `${browser} on ${system}` : browser
}
