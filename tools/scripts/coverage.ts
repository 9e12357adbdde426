/**
 * Runs a command and merges the branch coverage of all its processes. Fails if the tests leave a branch of a core file
 * uncovered.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forwardSignals, runProgram } from './run-program.ts'

/** Files that protect data or decide that a create succeeded. Tests must cover every branch of these core files. */
export const coreFiles: readonly string[] = [
  // Bodies of requests and responses.
  'packages/server/src/http/request/request-body.ts',
  'packages/model/src/validation/flat-json.ts',
  'packages/server/src/http/response/static-body.ts',
  // Authorization of requests.
  'packages/server/src/http/access/callers.ts',
  'packages/server/src/http/request/context.ts',
  // Idempotent creates.
  'packages/server/src/http/request/idempotency-key.ts',
  'packages/server/src/queries/create/idempotency.ts',
  'packages/server/src/queries/create/create.ts',
  // Conversion of errors to responses.
  'packages/server/src/errors.ts',
  'packages/server/src/http/response/error-response.ts',
  'packages/server/src/postgres/connection/sqlstate.ts',
  'packages/server/src/postgres/connection/explain-error.ts',
  'packages/server/src/queries/create/conflicts.ts',
  // Escaping of search terms.
  'packages/server/src/queries/filters.ts',
]

/**
 * Nested ranges of source text, as V8 reports them. The execution count of an offset is that of the innermost range
 * around it.
 */
export interface CoverageRange {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly CoverageRange[] }[]
}

/** The coverage ranges of one function, as reported by each process. */
type FunctionRanges = readonly (readonly CoverageRange[])[]

export interface Branches {
  readonly path: string
  readonly total: number
  /** Start offsets of branches that no process executed. */
  readonly missed: readonly number[]
}

/**
 * Returns the branches of one function. An offset counts as reached if at least one process reached it. Node's own
 * report misses an uncovered branch inside a block if another process skipped the whole block.
 */
export const branchesOf = (processes: FunctionRanges): { total: number; missed: number[] } => {
  const distinctRanges = new Map(processes.flat().map((range) => [`${range.startOffset}-${range.endOffset}`, range]))
  const boundaries = [
    ...new Set([...distinctRanges.values()].flatMap(({ startOffset, endOffset }) => [startOffset, endOffset])),
  ]
  const reached = boundaries.filter((offset) => processes.some((ranges) => isReached(ranges, offset)))
  const missed = [...distinctRanges.values()].filter(
    ({ startOffset, endOffset }) => !reached.some((offset) => startOffset <= offset && offset < endOffset),
  )
  return { total: distinctRanges.size, missed: missed.map(({ startOffset }) => startOffset) }
}

const isReached = (ranges: readonly CoverageRange[], offset: number): boolean =>
  (ranges.findLast(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)?.count ?? 0) > 0

const root = new URL('../..', import.meta.url)

const sourcesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
    .filter(hasCode)

/** Whether a file contains code. Files that contain only types are never loaded, so they have no coverage. */
const hasCode = (path: string): boolean =>
  stripTypeScriptTypes(readFileSync(new URL(path, root), 'utf8'))
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    .trim() !== ''

/**
 * Reads the branches of every source file of the packages model and server. A file that was never loaded counts as one
 * missed branch.
 */
const readBranches = (folder: string): Branches[] => {
  const functions = new Map<string, Map<string, Map<string, readonly CoverageRange[]>>>()
  for (const path of ['packages/model/src', 'packages/server/src'].flatMap(sourcesIn)) functions.set(path, new Map())
  for (const file of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { result: ScriptCoverage[] }
    for (const script of result) {
      const fileFunctions = functions.get(script.url.slice(root.href.length))
      for (const { ranges } of fileFunctions === undefined ? [] : script.functions) {
        const position = `${ranges[0]?.startOffset}-${ranges[0]?.endOffset}`
        const reports = fileFunctions?.get(position) ?? new Map<string, readonly CoverageRange[]>()
        // Reports with the same reached ranges are stored only once, because most processes report the same ranges.
        reports.set(ranges.map((range) => `${range.startOffset}-${range.endOffset}-${range.count > 0}`).join(), ranges)
        fileFunctions?.set(position, reports)
      }
    }
  }
  return [...functions].map(([path, fileFunctions]) => {
    const branches = [...fileFunctions.values()].map((reports) => branchesOf([...reports.values()]))
    if (branches.length === 0) return { path, total: 1, missed: [0] }
    return {
      path,
      total: branches.reduce((sum, { total }) => sum + total, 0),
      missed: branches.flatMap(({ missed }) => missed).sort((a, b) => a - b),
    }
  })
}

const coverageText = (files: readonly Branches[]): string => {
  const total = files.reduce((sum, file) => sum + file.total, 0)
  const taken = total - files.reduce((sum, file) => sum + file.missed.length, 0)
  return `${((100 * taken) / total).toFixed(1).padStart(5)} % ${String(taken).padStart(5)} of ${String(total).padStart(5)}`
}

const missedShare = ({ missed, total }: Branches): number => missed.length / total

export const coverageReport = (files: readonly Branches[]): { lines: string[]; isComplete: boolean } => {
  const coreBranches = coreFiles.map(
    (path) => files.find((file) => file.path === path) ?? { path, total: 1, missed: [0] },
  )
  const rest = files.filter(({ path }) => !coreFiles.includes(path))
  const leastCovered = [...rest].sort((a, b) => missedShare(b) - missedShare(a)).slice(0, 10)
  return {
    lines: [
      'branches taken',
      ...coreBranches.map((file) => `${coverageText([file])}  ${file.path}`),
      `${coverageText(coreBranches)}  the core, where every branch must be taken`,
      `${coverageText(rest)}  the rest, least in`,
      ...leastCovered.map((file) => `${coverageText([file])}    ${file.path}`),
      ...coreBranches.flatMap((file) =>
        file.missed.map((offset) => `✖ no test takes the branch at ${positionOf(file.path, offset)}`),
      ),
    ],
    isComplete: coreBranches.every(({ missed }) => missed.length === 0),
  }
}

const positionOf = (path: string, offset: number): string => {
  const before = readFileSync(new URL(path, root), 'utf8').slice(0, offset).split('\n')
  return `${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}

const runWithCoverage = async (command: string, args: readonly string[]): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-coverage-'))
  try {
    // The compile cache is disabled, because V8 reports less detail for functions loaded from it.
    const env = { ...process.env, NODE_V8_COVERAGE: folder, NODE_DISABLE_COMPILE_CACHE: '1' }
    const code = await runProgram([command, ...args], { env })
    const { lines, isComplete } = coverageReport(readBranches(folder))
    console.log(lines.join('\n'))
    return isComplete ? code : 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.main) {
  const [command, ...args] = process.argv.slice(2)
  if (command === undefined) throw new Error('Usage: node tools/scripts/coverage.ts <command> [arguments]')
  forwardSignals()
  process.exitCode = await runWithCoverage(command, args)
}
