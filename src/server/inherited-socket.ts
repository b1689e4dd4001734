/** The first descriptor that systemd hands over. */
const First = 3

/**
 * The descriptor of the socket that systemd listens on for this process (socket activation); undefined where it handed
 * none over. Throws for several.
 */
export function inheritedSocket(env: NodeJS.ProcessEnv, pid = process.pid): number | undefined {
  const { LISTEN_PID, LISTEN_FDS } = env
  // They are not for what is started from here.
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete env[name]
  if (LISTEN_FDS === undefined || Number(LISTEN_PID) !== pid) return undefined
  const count = Number(LISTEN_FDS)
  if (count === 0) return undefined
  if (count !== 1)
    throw new Error(`systemd hands over ${LISTEN_FDS} sockets: one is served (ListenStream in cabinet.socket)`)
  return First
}
