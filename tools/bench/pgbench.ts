/** Measures PostgreSQL itself with pgbench and prepared statements. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTool, runProgram } from './tools.ts'

export interface PgbenchOptions {
  /** A pgbench script. The statements of the script run one after another, each in its own transaction. */
  readonly script: string
  readonly clients: number
  /** Duration of the run in seconds. */
  readonly seconds?: number
  /** How often each client runs the script if `seconds` is undefined; for scripts that can take longer than a run. */
  readonly transactions?: number
  readonly warmUp?: number
}

export interface PgbenchResult {
  readonly rate: number
  /** Average latency in milliseconds. */
  readonly latency: number
}

export const runPgbench = async (url: string, options: PgbenchOptions): Promise<PgbenchResult> => {
  const { seconds, warmUp = 0 } = options
  if (seconds !== undefined && warmUp > 0) await runOnce(url, { ...options, seconds: warmUp })
  return runOnce(url, options)
}

const runOnce = async (
  url: string,
  { script, clients, seconds, transactions = 1 }: PgbenchOptions,
): Promise<PgbenchResult> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-pgbench-'))
  const file = join(folder, 'statement.sql')
  try {
    await writeFile(file, script)
    // The run takes one second more, because pgbench counts the time to connect as part of the duration, but not in its
    // rates.
    const durationArgs = seconds === undefined ? ['-t', String(transactions)] : ['-T', String(seconds + 1)]
    const output = await runProgram(await findTool('pgbench'), [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(clients),
      '-j',
      '1',
      ...durationArgs,
      '-f',
      file,
      url,
    ])
    return { rate: findNumber(output, /^tps = ([\d.]+)/m), latency: findNumber(output, /^latency average = ([\d.]+)/m) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const findNumber = (output: string, pattern: RegExp): number => {
  const text = pattern.exec(output)?.[1]
  if (text === undefined) throw new Error(`pgbench printed no result:\n${output}`)
  return Number(text)
}
