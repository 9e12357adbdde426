/** The corpus holds cases that have failed before, one per file. Every run repeats them first. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import type { Case, Deviation } from './case.ts'
import type { Step } from './sequence/step.ts'

/** A request or a sequence of steps that has failed. */
export type CorpusEntry = { readonly testCase: Case } | { readonly steps: readonly Step[] }

const folder = new URL('corpus/', import.meta.url)

export const readCorpus = async (): Promise<(CorpusEntry & { readonly file: string })[]> => {
  const fileNames = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort()
  return Promise.all(
    fileNames.map(async (file) => ({
      file,
      ...(JSON.parse(await readFile(new URL(file, folder), 'utf8')) as CorpusEntry),
    })),
  )
}

/** Saves the case with its deviations and returns the file name. */
export const addToCorpus = async (entry: CorpusEntry, deviations: readonly Deviation[]): Promise<string> => {
  const name = 'testCase' in entry ? (entry.testCase.operation ?? entry.testCase.source) : 'sequence'
  const hash = createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 8)
  const file = `${name.replaceAll(/[^A-Za-z0-9]+/g, '-')}-${hash}.json`
  await mkdir(folder, { recursive: true })
  await writeFile(new URL(file, folder), `${JSON.stringify({ deviations, ...entry }, null, 2)}\n`)
  return file
}
