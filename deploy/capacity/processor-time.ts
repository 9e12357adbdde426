/** In charge of processor time as the kernel counts it: that of a process, with or without all that it started. */
import { readdir, readFile } from 'node:fs/promises'

/** Ticks of the kernel's clock in a second, as programs are told it: 100 on every Linux there is. */
const ticksPerSecond = 100

interface Times {
  readonly parent: number
  /** Seconds of its own, and of children that have ended. */
  readonly own: number
  readonly ended: number
}

/** The name of a process stands in brackets before these fields, and may hold blanks and brackets itself. */
const timesOf = async (pid: number): Promise<Times | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const sum = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) / ticksPerSecond
  return { parent: Number(fields[1]), own: sum(11), ended: sum(13) }
}

export const processTime = async (pid: number): Promise<number> => (await timesOf(pid))?.own ?? 0

/** Of a process and its children, those included that ended: a database server with all its sessions. */
export const familyTime = async (pid: number): Promise<number> => {
  const head = await timesOf(pid)
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const all = await Promise.all(numbers.map(timesOf))
  const children = all.reduce((sum, times) => sum + (times?.parent === pid ? times.own : 0), 0)
  return (head?.own ?? 0) + (head?.ended ?? 0) + children
}
