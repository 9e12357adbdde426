/** Runs a suite. A failed file runs once more, alone; if it passes then, it is reported as flaky. */
import type { SpawnOptions } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../scripts/run-program.ts'
import type { FileResult } from './file-results.ts'
import { readFileResults, resultsVariable, slowestFiles } from './file-results.ts'
import type { Suite } from './suites.ts'
import { mayRepeat } from './suites.ts'

/** More than this many flaky files fail a run. */
export const maxFlakyFiles = 2

export interface SuiteResult {
  readonly name: string
  readonly passed: number
  readonly failed: number
  readonly seconds: number
  readonly succeeded: boolean
  /** Files that failed and then passed alone, with the output of their failures. */
  readonly flaky: readonly FileResult[]
  /** The other files that failed. */
  readonly broken: readonly FileResult[]
}

type Write = (text: string) => void

interface Attempt {
  readonly exitCode: number
  readonly passed: number
  readonly failed: number
  readonly files: readonly FileResult[]
}

const root = join(import.meta.dirname, '../..')
/** Starts a program in the repository, passes its output to `write`, and returns its exit code. */
const runInRepository = (
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  write: Write,
): Promise<number> => {
  // With a compile cache, a test process needs half the CPU time to load its modules.
  const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/tests')
  const options: SpawnOptions = {
    cwd: root,
    // With the terminal as input, programs can tell that Ctrl+C has already reached the programs that they run.
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}), ...env },
  }
  return runProgram(command, options, ({ stdout, stderr }) => {
    for (const stream of [stdout, stderr]) stream?.setEncoding('utf8').on('data', write)
  })
}

/** Every runner closes with its counts: node:test as `ℹ pass 3`, the others as `3 passed, 0 failed`. */
const readCounts = (output: string): { passed: number; failed: number } => {
  const sum = (pattern: RegExp): number =>
    [...output.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0)
  return {
    passed: sum(/^\S*ℹ pass (\d+)/gm) + sum(/^(\d+) passed, \d+ failed$/gm),
    failed: sum(/^\S*ℹ fail (\d+)/gm) + sum(/^\d+ passed, (\d+) failed$/gm),
  }
}

const attempt = async (suite: Suite, args: readonly string[], write: Write): Promise<Attempt> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-results-'))
  const resultsFile = join(folder, 'results.json')
  let output = ''
  try {
    const exitCode = await runInRepository(
      [...suite.command, ...args],
      { ...suite.env, [resultsVariable]: resultsFile },
      (text) => {
        output += text
        write(text)
      },
    )
    return { exitCode, ...readCounts(output), files: await readFileResults(resultsFile) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the failed files if each of them may run again, and otherwise none. */
const filesToRepeat = ({ exitCode, files }: Attempt): readonly FileResult[] => {
  const failedFiles = files.filter(({ failures }) => failures.length > 0)
  const isRepeatable =
    exitCode !== 0 && failedFiles.length <= maxFlakyFiles && failedFiles.every(({ file }) => mayRepeat(file))
  return isRepeatable ? failedFiles : []
}

/** Arguments that do not begin with a hyphen replace the files of the suite. */
const withFiles = (suite: Suite, args: readonly string[]): readonly string[] =>
  suite.files === undefined || args.some((arg) => !arg.startsWith('-')) ? args : [...args, ...suite.files]

export const runSuite = async (
  name: string,
  suite: Suite,
  args: readonly string[],
  write: Write,
): Promise<SuiteResult> => {
  const startedAt = performance.now()
  const first = await attempt(suite, withFiles(suite, args), write)
  let { passed, failed } = first
  const flaky: FileResult[] = []
  for (const result of filesToRepeat(first)) {
    write(`\n${result.file} failed and runs once more, alone.\n`)
    const second = await attempt(suite, [result.file], write)
    const hasRun = second.files.some(({ file, tests }) => file === result.file && tests > 0)
    if (second.exitCode !== 0 || !hasRun) continue
    flaky.push(result)
    passed += result.failures.length
    failed -= result.failures.length
  }
  const failedFiles = first.files.filter(({ failures }) => failures.length > 0)
  const broken = failedFiles.filter((result) => !flaky.includes(result))
  const succeeded = broken.length === 0 && (first.exitCode === 0 || failedFiles.length > 0)
  const seconds = (performance.now() - startedAt) / 1_000
  if (first.files.length > 1)
    write(`\nSlowest files of ${name}: seconds, tests, file\n${slowestFiles(first.files).join('\n')}\n`)
  write(failuresText('flaky', flaky) + failuresText('failed', broken))
  write(`The suite ${name} took ${Math.round(seconds)} s.\n`)
  return { name, passed, failed: Math.max(failed, succeeded ? 0 : 1), seconds, succeeded, flaky, broken }
}

export const failuresText = (label: 'flaky' | 'failed', files: readonly FileResult[]): string =>
  files
    .map(
      ({ file, failures }) =>
        `\n${label}: ${file} (FAST_CHECK_SEED=${process.env.FAST_CHECK_SEED ?? 1})\n${failures.join('\n\n')}\n`,
    )
    .join('')
