import { readdir, readFile } from 'node:fs/promises'

/** Clock ticks per second in /proc (USER_HZ), which is 100 on every Linux. */
const ticksPerSecond = 100

interface CpuTimes {
  readonly parentPid: number
  /** CPU seconds of the process itself. */
  readonly own: number
  /** CPU seconds of the child processes that have ended. */
  readonly endedChildren: number
}

/**
 * Parses /proc/PID/stat. The process name in parentheses can contain spaces and parentheses, so only the last ")" marks
 * its end.
 */
const readCpuTimes = async (pid: number): Promise<CpuTimes | undefined> => {
  const statText = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (statText === undefined) return undefined
  const fields = statText.slice(statText.lastIndexOf(')') + 2).split(' ')
  const sum = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) / ticksPerSecond
  return { parentPid: Number(fields[1]), own: sum(11), endedChildren: sum(13) }
}

export const readProcessCpuSeconds = async (pid: number): Promise<number> => (await readCpuTimes(pid))?.own ?? 0

/**
 * CPU time of a process and its child processes, running or ended; for example, of a PostgreSQL server with all its
 * sessions.
 */
export const readCpuSecondsWithChildren = async (pid: number): Promise<number> => {
  const parentTimes = await readCpuTimes(pid)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const allTimes = await Promise.all(pids.map(readCpuTimes))
  const childSeconds = allTimes.reduce((sum, times) => sum + (times?.parentPid === pid ? times.own : 0), 0)
  return (parentTimes?.own ?? 0) + (parentTimes?.endedChildren ?? 0) + childSeconds
}
