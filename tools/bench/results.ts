/**
 * Stores every measured figure of every round in one file, so that the report can be written again without measuring.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from '../../tests/support/server-process.ts'
import type { BenchEnvironment } from './machine.ts'
import type { Figures } from './measurement.ts'

export const resultsFile = join(root, 'docs', 'performance', 'results.json')

export interface Results {
  readonly surroundings: BenchEnvironment
  readonly rows: number
  readonly large: number
  readonly seconds: number
  /** Time at which each benchmark case was last measured. */
  readonly measured: Record<string, string>
  /** Start time of the run that last measured each benchmark case. */
  readonly runs: Record<string, string>
  /** The measured figures by name, with one value per round. */
  readonly figures: Record<string, number[]>
}

export const readResults = async (): Promise<Results | undefined> => {
  const text = await readFile(resultsFile, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as Results)
}

export const writeResults = async (results: Results): Promise<void> => {
  await mkdir(dirname(resultsFile), { recursive: true })
  // Puts the values of each figure on one line, so that diffs are readable.
  const text = JSON.stringify(results, null, 2).replace(/\[[\d\s.,e+-]*\]/g, (list) =>
    JSON.stringify(JSON.parse(list)).replaceAll(',', ', '),
  )
  await writeFile(resultsFile, `${text}\n`)
}

/**
 * Adds the figures that a case measured in one round to the results. The first round of a run replaces the figures of
 * earlier runs.
 */
export const addRound = (results: Results, run: string, name: string, figures: Figures, isFirst: boolean): void => {
  results.runs[name] = run
  results.measured[name] = new Date().toISOString()
  for (const [figure, value] of Object.entries(figures)) {
    const earlierValues = isFirst ? [] : (results.figures[figure] ?? [])
    results.figures[figure] = [...earlierValues, Math.round(value * 1_000) / 1_000]
  }
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const pair = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return ((pair[0] ?? Number.NaN) + (pair[1] ?? Number.NaN)) / 2
}
