/** Runs steps of the workflows in .github/workflows as GitHub does. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'

const run = promisify(execFile)
const folder = join(import.meta.dirname, '..', '..', '.github', 'workflows')

export interface WorkflowStep {
  /** The shell commands of the step. */
  readonly text: string
  readonly shell: 'bash' | 'sh'
}

interface Job {
  readonly container?: unknown
  readonly steps?: readonly { readonly run?: string }[]
}

/** Returns the one step of this job whose commands match the pattern. */
export const findStep = (file: string, jobName: string, pattern: RegExp): WorkflowStep => {
  const { jobs } = parse(readFileSync(join(folder, file), 'utf8')) as { readonly jobs: Readonly<Record<string, Job>> }
  const job = jobs[jobName]
  const texts = (job?.steps ?? []).flatMap(({ run: text }) => (text !== undefined && pattern.test(text) ? [text] : []))
  const [text] = texts
  if (text === undefined || texts.length > 1)
    throw new Error(`${file} ${jobName}: ${texts.length} steps match ${pattern}`)
  // GitHub replaces expressions before it starts the shell.
  if (text.includes('${{')) throw new Error(`${file} ${jobName}: the step contains an expression`)
  // The default shell is bash on the runner and sh in a container:
  // https://docs.github.com/actions/using-jobs/running-jobs-in-a-container
  return { text, shell: job?.container === undefined ? 'bash' : 'sh' }
}

/** Returns what the step prints. If it fails, the message of the error is what it has printed. */
export const runStep = async (
  { text, shell }: WorkflowStep,
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> => {
  const options = { cwd, env, timeout: 300_000, maxBuffer: 64_000_000 }
  const { stdout, stderr } = await run(shell, ['-e', '-c', text], options).catch((cause) => {
    throw new Error(`${cause.stdout}${cause.stderr}`, { cause })
  })
  return stdout + stderr
}
