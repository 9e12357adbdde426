/** In charge of cases that once failed: kept one to a file, and run before everything else. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import type { Case, Deviation } from './case.ts'
import type { Step } from './sequence/step.ts'

/** One request that deviated, or a sequence of steps that did. */
export type Kept = { readonly asked: Case } | { readonly steps: readonly Step[] }

const folder = new URL('corpus/', import.meta.url)

export const readCorpus = async (): Promise<(Kept & { readonly file: string })[]> => {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort()
  return Promise.all(
    names.map(async (file) => ({ file, ...(JSON.parse(await readFile(new URL(file, folder), 'utf8')) as Kept) })),
  )
}

/** Writes the case down, with what was wrong with it, and returns the name of its file. */
export const keep = async (kept: Kept, deviations: readonly Deviation[]): Promise<string> => {
  const name = 'asked' in kept ? (kept.asked.operation ?? kept.asked.source) : 'sequence'
  const hash = createHash('sha256').update(JSON.stringify(kept)).digest('hex').slice(0, 8)
  const file = `${name.replaceAll(/[^A-Za-z0-9]+/g, '-')}-${hash}.json`
  await mkdir(folder, { recursive: true })
  await writeFile(new URL(file, folder), `${JSON.stringify({ deviations, ...kept }, null, 2)}\n`)
  return file
}
