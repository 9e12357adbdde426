/**
 * Results of the test files of one run. A reporter inside the test runner (node-reporter.ts, playwright-reporter.ts)
 * writes them to the file that RESULTS_FILE names, and run-suite.ts reads them.
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'

export interface FileResult {
  /** Path relative to the root of the repository. */
  readonly file: string
  readonly seconds: number
  readonly tests: number
  /** Name and error of each failed test. */
  readonly failures: readonly string[]
}

export const resultsVariable = 'RESULTS_FILE'

/** Collects the results of files while their tests end. */
export class FileResults {
  readonly #files = new Map<string, { seconds: number; tests: number; failures: string[] }>()

  #of(path: string) {
    const file = relative(process.cwd(), path)
    let result = this.#files.get(file)
    if (result === undefined) {
      result = { seconds: 0, tests: 0, failures: [] }
      this.#files.set(file, result)
    }
    return result
  }

  addSeconds(path: string, seconds: number): void {
    this.#of(path).seconds += seconds
  }

  addTest(path: string): void {
    this.#of(path).tests += 1
  }

  addFailure(path: string, failure: string): void {
    this.#of(path).failures.push(failure)
  }

  async write(): Promise<void> {
    await writeFileResults([...this.#files].map(([file, result]) => ({ file, ...result })))
  }
}

export const writeFileResults = async (results: readonly FileResult[]): Promise<void> => {
  const path = process.env[resultsVariable]
  if (path === undefined) return
  // A runner that is killed while it writes leaves no half file.
  await writeFile(`${path}.new`, JSON.stringify(results))
  await rename(`${path}.new`, path)
}

/** Returns no results if the runner ended before it could write them, or if it has no files. */
export const readFileResults = async (path: string): Promise<readonly FileResult[]> => {
  const text = await readFile(path, 'utf8').catch(() => '[]')
  return JSON.parse(text) as FileResult[]
}

export const slowestFiles = (results: readonly FileResult[], count = 20): string[] =>
  results
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds, tests }) => `${seconds.toFixed(1).padStart(7)} s  ${String(tests).padStart(5)}  ${file}`)
