/** In charge of what was measured: every figure of every round, kept in one file from which the report can be made again. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from './child-server.ts'
import type { Figures } from './measurement.ts'
import type { Surroundings } from './surroundings.ts'

export const resultsFile = join(root, 'docs', 'performance', 'results.json')

export interface Results {
  readonly surroundings: Surroundings
  readonly rows: number
  readonly large: number
  readonly seconds: number
  /** When each case was last measured. */
  readonly measured: Record<string, string>
  /** When the run began that measured it. */
  readonly runs: Record<string, string>
  /** Each figure by name, one value per round. */
  readonly figures: Record<string, number[]>
}

export const readResults = async (): Promise<Results | undefined> => {
  const text = await readFile(resultsFile, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as Results)
}

export const writeResults = async (results: Results): Promise<void> => {
  await mkdir(dirname(resultsFile), { recursive: true })
  // One line per figure, so that a change of a figure is a change of a line.
  const text = JSON.stringify(results, null, 2).replace(/\[[\d\s.,e+-]*\]/g, (list) =>
    JSON.stringify(JSON.parse(list)).replaceAll(',', ', '),
  )
  await writeFile(resultsFile, `${text}\n`)
}

/** Adds a round of figures; the first round of a run replaces what an earlier run found. */
export const addRound = (results: Results, run: string, name: string, figures: Figures, isFirst: boolean): void => {
  results.runs[name] = run
  results.measured[name] = new Date().toISOString()
  for (const [figure, value] of Object.entries(figures)) {
    const kept = isFirst ? [] : (results.figures[figure] ?? [])
    results.figures[figure] = [...kept, Math.round(value * 1_000) / 1_000]
  }
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length / 2
  const pair = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]]
  return ((pair[0] ?? Number.NaN) + (pair[1] ?? Number.NaN)) / 2
}
