import type { ChildProcess } from 'node:child_process'

const children = new Set<ChildProcess>()
let isWaiting = false

/** Ends a program that a test has started, if the test process exits before the program. */
export const killAtExit = (child: ChildProcess): void => {
  children.add(child)
  child.once('exit', () => children.delete(child))
  if (isWaiting) return
  isWaiting = true
  process.once('exit', () => {
    for (const each of children) each.kill('SIGKILL')
  })
}
