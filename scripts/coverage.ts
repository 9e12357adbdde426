/** In charge of which branches a command's processes take: holds the core to every one, and tells the figure for the rest. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What stands between a stranger and the data, and what trust in a 201 hangs on: no branch without a test. */
export const core: readonly string[] = [
  // The body of a create.
  'service/src/http/request-body.ts',
  'model/src/flat-json.ts',
  'service/src/http/encoded-body.ts',
  // Write access.
  'service/src/http/tokens.ts',
  'service/src/http/write-access.ts',
  'service/src/http/read-access.ts',
  'service/src/http/framing.ts',
  // Creates that can be repeated.
  'service/src/http/idempotency-key.ts',
  'service/src/operations/claim.ts',
  'service/src/operations/create.ts',
  // Error mapping.
  'service/src/errors.ts',
  'service/src/http/error-handler.ts',
  'service/src/database/sql-states.ts',
  'service/src/database/operator-error.ts',
  'service/src/operations/clashes.ts',
  // Search escaping.
  'service/src/operations/conditions.ts',
]

/** As V8 writes it: ranges of text, each inside one before it, the innermost saying how often a place was reached. */
export interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
}

/** Of one function: what each process saw of it. */
type Sightings = readonly (readonly Range[])[]

export interface Branches {
  readonly path: string
  readonly total: number
  /** Where each branch begins that no process took. */
  readonly missed: readonly number[]
}

/**
 * The branches of one function. Node's own report merges processes such that a branch inside a block is forgotten once
 * another process skipped the whole block; here a place counts as reached where any process reached it, and only there.
 */
export const branchesOf = (sightings: Sightings): { total: number; missed: number[] } => {
  const ranges = new Map(sightings.flat().map((range) => [`${range.startOffset}-${range.endOffset}`, range]))
  const edges = [...new Set([...ranges.values()].flatMap(({ startOffset, endOffset }) => [startOffset, endOffset]))]
  const reached = edges.filter((place) => sightings.some((seen) => isReached(seen, place)))
  const missed = [...ranges.values()].filter(
    ({ startOffset, endOffset }) => !reached.some((place) => startOffset <= place && place < endOffset),
  )
  return { total: ranges.size, missed: missed.map(({ startOffset }) => startOffset) }
}

const isReached = (ranges: readonly Range[], place: number): boolean =>
  (ranges.findLast(({ startOffset, endOffset }) => startOffset <= place && place < endOffset)?.count ?? 0) > 0

const root = new URL('..', import.meta.url)

const sourcesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
    .filter(holdsCode)

/** Files of nothing but types are never loaded. */
const holdsCode = (path: string): boolean =>
  stripTypeScriptTypes(readFileSync(new URL(path, root), 'utf8'))
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    .trim() !== ''

/** Every source of model and service; one that nothing loaded is one branch that was missed. */
const readBranches = (folder: string): Branches[] => {
  const functions = new Map<string, Map<string, Map<string, readonly Range[]>>>()
  for (const path of ['model/src', 'service/src'].flatMap(sourcesIn)) functions.set(path, new Map())
  for (const file of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { result: ScriptCoverage[] }
    for (const script of result) {
      const known = functions.get(script.url.slice(root.href.length))
      for (const { ranges } of known === undefined ? [] : script.functions) {
        const place = `${ranges[0]?.startOffset}-${ranges[0]?.endOffset}`
        const sightings = known?.get(place) ?? new Map<string, readonly Range[]>()
        // Most processes see the same of a function, but for how often.
        sightings.set(
          ranges.map((range) => `${range.startOffset}-${range.endOffset}-${range.count > 0}`).join(),
          ranges,
        )
        known?.set(place, sightings)
      }
    }
  }
  return [...functions].map(([path, known]) => {
    const each = [...known.values()].map((sightings) => branchesOf([...sightings.values()]))
    if (each.length === 0) return { path, total: 1, missed: [0] }
    return {
      path,
      total: each.reduce((sum, { total }) => sum + total, 0),
      missed: each.flatMap(({ missed }) => missed).sort((a, b) => a - b),
    }
  })
}

const share = (files: readonly Branches[]): string => {
  const total = files.reduce((sum, file) => sum + file.total, 0)
  const taken = total - files.reduce((sum, file) => sum + file.missed.length, 0)
  return `${((100 * taken) / total).toFixed(1).padStart(5)} % ${String(taken).padStart(5)} of ${String(total).padStart(5)}`
}

const missedShare = ({ missed, total }: Branches): number => missed.length / total

export const report = (files: readonly Branches[]): { lines: string[]; isComplete: boolean } => {
  const held = core.map((path) => files.find((file) => file.path === path) ?? { path, total: 1, missed: [0] })
  const rest = files.filter(({ path }) => !core.includes(path))
  const least = [...rest].sort((a, b) => missedShare(b) - missedShare(a)).slice(0, 10)
  return {
    lines: [
      'branches taken',
      ...held.map((file) => `${share([file])}  ${file.path}`),
      `${share(held)}  the core, where every branch must be taken`,
      `${share(rest)}  the rest, least in`,
      ...least.map((file) => `${share([file])}    ${file.path}`),
      ...held.flatMap((file) =>
        file.missed.map((place) => `✖ no test takes the branch at ${whereIs(file.path, place)}`),
      ),
    ],
    isComplete: held.every(({ missed }) => missed.length === 0),
  }
}

const whereIs = (path: string, place: number): string => {
  const before = readFileSync(new URL(path, root), 'utf8').slice(0, place).split('\n')
  return `${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}

const run = async (command: string, args: readonly string[]): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-coverage-'))
  try {
    // Of functions that come compiled from a cache V8 tells less.
    const env = { ...process.env, NODE_V8_COVERAGE: folder, NODE_DISABLE_COMPILE_CACHE: '1' }
    const child = spawn(command, args, { stdio: 'inherit', env })
    const [code] = (await once(child, 'exit')) as [number | null]
    const { lines, isComplete } = report(readBranches(folder))
    console.log(lines.join('\n'))
    return isComplete ? (code ?? 1) : 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.main) {
  const [command, ...args] = process.argv.slice(2)
  if (command === undefined)
    throw new Error('Say which command to watch: node scripts/coverage.ts <command> [arguments]')
  process.exitCode = await run(command, args)
}
