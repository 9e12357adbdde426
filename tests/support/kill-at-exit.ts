import type { ChildProcess } from 'node:child_process'

const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Ends a program that a test has started, if the test process exits before the program. */
export const killAtExit = (child: ChildProcess): void => {
  children.add(child)
  child.once('exit', () => children.delete(child))
}
