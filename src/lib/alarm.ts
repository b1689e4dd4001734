/** Milliseconds between two looks at the clock. */
const Look = 60_000

/**
 * Calls `ring` once a moment (milliseconds since 1970) has come: by the clock, or after the time that it was away,
 * since the clock may be set meanwhile, either way. Answers what calls it off. It keeps no process alive.
 */
export function alarm(at: number, ring: () => void, look = Look): () => void {
  let timer: NodeJS.Timeout
  const wait = (left: number): void => {
    const next = Math.min(left, look)
    timer = setTimeout(() => {
      const rest = Math.min(left - next, at - Date.now())
      if (rest > 0) wait(rest)
      else ring()
    }, next).unref()
  }
  wait(at - Date.now())
  return () => clearTimeout(timer)
}
