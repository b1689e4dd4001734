/**
 * Node reads its fetch, 30 ms and 6 MB of it, when one of its classes is first named, and the server of hono names them
 * all as it loads, to make lighter ones. In the bundle these stand in for them until something makes one:
 * build/bundle.ts puts them in their places.
 */
type Class = new (...args: unknown[]) => object

/** A stand-in for a global class. What extends it, or asks whether something is one, need not load it. */
function late(name: string, whenLoaded: (loaded: Class) => void = () => undefined): Class {
  let loaded: Class | undefined
  const load = (): Class => {
    if (loaded) return loaded
    loaded = (globalThis as unknown as Record<string, Class>)[name]!
    Object.setPrototypeOf(StandIn, loaded)
    Object.setPrototypeOf(StandIn.prototype, loaded.prototype as object)
    whenLoaded(loaded)
    return loaded
  }
  const isBelow = Function.prototype[Symbol.hasInstance] as (this: unknown, each: unknown) => boolean
  const StandIn = function StandIn(...args: unknown[]): object {
    const made = load()
    return Reflect.construct(made, args, new.target === StandIn ? made : (new.target ?? made)) as object
  } as unknown as Class
  Object.defineProperties(StandIn, {
    name: { value: name },
    [Symbol.hasInstance]: {
      value(this: unknown, each: unknown) {
        return isBelow.call(this, each) || (this === StandIn && loaded !== undefined && isBelow.call(loaded, each))
      },
    },
  })
  return StandIn
}

export let Headers = late('Headers', (loaded) => {
  Headers = loaded
})
export let Request = late('Request')
export let Response = late('Response')

/** The lighter ones take their places, in the whole bundle. */
export function putLighter(request: Class, response: Class): void {
  Request = request
  Response = response
}
