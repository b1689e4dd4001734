/** Processor time (ms) that this thread has used, whatever else the machine does. */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
