/**
 * Whole watts (AC: volt-amperes) that a feed can give: its circuit's power cut to the utilisation allowed, over three
 * phases √3 of it.
 */
export function availablePower(feed: {
  voltage: number
  amperage: number
  max_utilization: number
  phase: string
}): number {
  const power = (Math.abs(feed.voltage) * feed.amperage * feed.max_utilization) / 100
  return Math.round(feed.phase === 'three-phase' ? power * 1.732 : power)
}
