/** In charge of loading PostgreSQL itself by pgbench: prepared statements, no service in between. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTool, run } from './tools.ts'

export interface EngineLoad {
  /** A pgbench script; its statements run one after another as one transaction each. */
  readonly script: string
  readonly clients: number
  /** For so long, or so often where the statement may take longer than that. */
  readonly seconds?: number
  readonly times?: number
  readonly warmUp?: number
}

export interface EngineResult {
  readonly rate: number
  /** Milliseconds, on average. */
  readonly latency: number
}

export const loadEngine = async (url: string, options: EngineLoad): Promise<EngineResult> => {
  const { seconds, warmUp = 0 } = options
  if (seconds !== undefined && warmUp > 0) await once(url, { ...options, seconds: warmUp })
  return once(url, options)
}

const once = async (url: string, { script, clients, seconds, times = 1 }: EngineLoad): Promise<EngineResult> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-pgbench-'))
  const file = join(folder, 'statement.sql')
  try {
    await writeFile(file, script)
    // pgbench counts the time to connect into its length, but not into its rates.
    const length = seconds === undefined ? ['-t', String(times)] : ['-T', String(seconds + 1)]
    const output = await run(await findTool('pgbench'), [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(clients),
      '-j',
      '1',
      ...length,
      '-f',
      file,
      url,
    ])
    return { rate: numberIn(output, /^tps = ([\d.]+)/m), latency: numberIn(output, /^latency average = ([\d.]+)/m) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const numberIn = (output: string, pattern: RegExp): number => {
  const text = pattern.exec(output)?.[1]
  if (text === undefined) throw new Error(`pgbench said nothing of use:\n${output}`)
  return Number(text)
}
