/**
 * Connectors of one side and positions of each, and how positions of a cable's sides belong together
 * (choices/CableProfileMaps).
 */
interface Profile {
  kind: 'straight' | 'breakout'
  shuffled: boolean
  connectors: number
  positions: number
}
interface Position {
  connector: number
  position: number
}

/** Shape of a profile, read from its name: `trunk-4c2p`, `breakout-1c4p-4c1p`, `trunk-2c4p-shuffle`. */
function shape(profile: string): Profile {
  const [, kind, connectors, positions] = /^(single|trunk|breakout)-(\d+)c(\d+)p/.exec(profile) ?? []
  if (!kind) throw new Error(`no cable profile ${profile}`)
  return {
    kind: kind === 'breakout' ? 'breakout' : 'straight',
    shuffled: profile.endsWith('-shuffle'),
    connectors: Number(connectors),
    positions: Number(positions),
  }
}

/** Positions of each connector of an end. */
export function connectorsOf(profile: string, end: 'A' | 'B'): number[] {
  const { kind, connectors, positions } = shape(profile)
  return kind === 'breakout' && end === 'B'
    ? new Array<number>(connectors * positions).fill(1)
    : new Array<number>(connectors).fill(positions)
}

/** A shuffle hands the positions of each connector round the others in equal blocks; it is its own inverse. */
function shuffle({ connector, position }: Position, { connectors, positions }: Profile): Position {
  const block = positions / connectors
  return { connector: Math.ceil(position / block), position: (connector - 1) * block + ((position - 1) % block) + 1 }
}

/** The position at the other end of the cable. */
export function mapped(profile: string, end: 'A' | 'B', at: Position): Position {
  const p = shape(profile)
  const turned = (x: Position) => (p.shuffled ? shuffle(x, p) : x)
  if (p.kind === 'straight') return turned(at)
  if (end === 'A') {
    const { connector, position } = turned(at)
    return { connector: (connector - 1) * p.positions + position, position: 1 }
  }
  return turned({ connector: Math.ceil(at.connector / p.positions), position: ((at.connector - 1) % p.positions) + 1 })
}
