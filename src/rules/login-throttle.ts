import { formatAddress, networkOf, parseAddress } from '../lib/ip.ts'
import { Lru } from '../lib/lru.ts'

/**
 * How many wrong passwords in a row are answered at once, for one name and from one address, and the longest pause
 * after more.
 */
interface ThrottleSettings {
  /** 0: any number. */
  loginAttemptsPerName: number
  loginAttemptsPerAddress: number
  /** In seconds. */
  loginDelayMax: number
}

/** Wrong passwords so far, and the moments (in milliseconds) of the last one and from which the next is heard. */
interface Tries {
  failed: number
  last: number
  until: number
}

/** A try that comes too soon: the next is heard after `seconds`. */
export class TooManyTries extends Error {
  readonly seconds: number
  constructor(seconds: number, what = 'passwords') {
    super(`Too many wrong ${what}. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`)
    this.seconds = seconds
  }
}

const Remembered = 10_000
/** Milliseconds after which wrong passwords are forgotten. */
const Forgotten = 15 * 60_000

/**
 * Slows down the guessing of passwords: per name, whoever guesses, and per address, whatever name is tried. Past the
 * settings each further try has to wait, 1 s at first and then twice as long every time. Who has logged in from an
 * address before is counted by that name and address alone, so that nobody is kept out by what others guess.
 */
export class LoginThrottle {
  readonly #settings: ThrottleSettings
  readonly #clock: () => number
  readonly #what: string
  readonly #names = new Lru<string, Tries>(Remembered)
  readonly #addresses = new Lru<string, Tries>(Remembered)
  /** Pairs of name and address that have logged in before. */
  readonly #known = new Lru<string, Tries>(Remembered)

  /** `clock` answers milliseconds, and is never set; `what` is guessed. */
  constructor(settings: ThrottleSettings, clock: () => number = () => performance.now(), what = 'passwords') {
    this.#settings = settings
    this.#clock = clock
    this.#what = what
  }

  /**
   * Counts a try as failed, and answers what to call when the password was right after all; so tries at the same time
   * count as well. Throws `TooManyTries`.
   */
  begin(username: string, client: string): () => void {
    const name = username.toLowerCase().slice(0, 150)
    const address = addressKey(client)
    const pair = `${name}\0${address}`
    const { loginAttemptsPerName: perName, loginAttemptsPerAddress: perAddress } = this.#settings
    const known = this.#known.get(pair)
    const counted: (readonly [tries: Tries, most: number])[] = known
      ? [[known, perName]]
      : [
          [this.#triesOf(this.#names, name), perName],
          [this.#triesOf(this.#addresses, address), perAddress],
        ]
    const now = this.#clock()
    const until = Math.max(...counted.map(([tries]) => tries.until))
    if (until > now) throw new TooManyTries(Math.ceil((until - now) / 1000), this.#what)
    for (const [tries, most] of counted) this.#count(tries, most, now)
    return () => {
      for (const [tries, most] of counted) {
        tries.failed = Math.max(0, tries.failed - 1)
        if (tries.failed < most) tries.until = 0
      }
      this.#known.set(pair, { failed: 0, last: 0, until: 0 })
    }
  }

  #triesOf(all: Lru<string, Tries>, key: string): Tries {
    const tries = all.get(key) ?? { failed: 0, last: 0, until: 0 }
    all.set(key, tries)
    return tries
  }

  #count(tries: Tries, most: number, now: number): void {
    if (most === 0) return
    if (now - Math.max(tries.last, tries.until) > Forgotten) tries.failed = 0
    tries.failed++
    tries.last = now
    const beyond = tries.failed - most
    if (beyond >= 0) tries.until = now + 1000 * Math.min(2 ** Math.min(beyond, 20), this.#settings.loginDelayMax)
  }
}

/** An IPv4 address, or the /64 of an IPv6 one, all of which one client may have. */
function addressKey(client: string): string {
  const parsed = parseAddress(client)
  return parsed?.family === 6 ? formatAddress(networkOf({ ...parsed, length: 64 })) : client
}
