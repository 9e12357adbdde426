/** Signals to processes with their children, found in /proc. */
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { waitUntil } from './wait.ts'

/** Sends a signal to a process and its children. After SIGKILL it waits until they are gone. */
export const signalWithChildren = async (pid: number, name: NodeJS.Signals): Promise<void> => {
  // A stopped process starts no child that would be missing from the list.
  if (name !== 'SIGCONT') await stopProcess(pid)
  const pids = [pid, ...(await childPids(pid))]
  for (const each of pids) signalProcess(each, name)
  if (name === 'SIGKILL') await Promise.all(pids.map(waitForExit))
}

/** Finds child processes by their parent id, because each backend has its own process group. */
const childPids = async (parent: number): Promise<number[]> => {
  const allPids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const areChildren = await Promise.all(allPids.map(async (pid) => (await readProcessState(pid))?.parent === parent))
  return allPids.filter((_, index) => areChildren[index])
}

/** Parses /proc/PID/stat after the last parenthesis: the process name before it may contain spaces and parentheses. */
const readProcessState = async (pid: number): Promise<{ state: string | undefined; parent: number } | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state, parent: Number(parent) }
}

/** Does nothing if the process is gone. */
export const signalProcess = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Sends SIGSTOP and waits until the process is stopped or gone. */
const stopProcess = async (pid: number): Promise<void> => {
  signalProcess(pid, 'SIGSTOP')
  await waitUntil(`process ${pid} is stopped`, async () => 'TZ'.includes((await readProcessState(pid))?.state ?? 'Z'))
}

/** Waits until the process is gone or a zombie. */
const waitForExit = async (pid: number): Promise<void> => {
  for (
    let processState = await readProcessState(pid);
    processState !== undefined && processState.state !== 'Z';
    processState = await readProcessState(pid)
  )
    await pause(5)
}
