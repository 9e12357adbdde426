/**
 * Runs test files with node:test, several in each process: node tools/test/run-groups.ts [--OPTION …] FILE|FOLDER …
 * Loading the modules of the service takes more CPU time than the tests of most files.
 */
import { globSync, statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { forwardSignals, runProgram } from '../scripts/run-program.ts'
import type { FileResult } from './file-results.ts'
import { readFileResults, resultsVariable, writeFileResults } from './file-results.ts'
import { divideIntoGroups, groupCode } from './groups.ts'

/** More groups than processes that run at a time: with fewer, processes would be idle while the last group runs. */
const groupCount = 16

const args = process.argv.slice(2)
const options = args.filter((arg) => arg.startsWith('-'))

/** The test files that an argument names: a file, a folder or a pattern. */
const findFiles = (pattern: string): string[] =>
  globSync(pattern).flatMap((path) => (statSync(path).isDirectory() ? filesBelow(path) : [path]))

const filesBelow = (folder: string): string[] =>
  globSync('**/*.test.ts', { cwd: folder })
    .filter((path) => !path.includes('node_modules'))
    .map((path) => join(folder, path))

/**
 * Adds a failure for each file that did not run to its end, because its process has ended. Returns whether there are such
 * files. The failure of a process itself has the path of its group.
 */
const reportUnfinished = async (files: readonly string[]): Promise<boolean> => {
  const found = await readFileResults(process.env[resultsVariable] ?? '')
  const groupFailures = found.filter(({ file }) => !files.includes(file)).flatMap(({ failures }) => failures)
  const results = files.map((file): FileResult => {
    const result = found.find((each) => each.file === file) ?? { file, seconds: 0, tests: 0, failures: [] }
    if (result.seconds > 0) return result
    console.error(`${file} did not run to its end.`)
    return { ...result, failures: [...result.failures, 'The file did not run to its end.', ...groupFailures] }
  })
  await writeFileResults(results)
  return results.some(({ seconds }) => seconds === 0)
}

/** Returns the exit code. */
const runFiles = async (files: readonly string[]): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-test-groups-'))
  try {
    const groupFiles = await Promise.all(
      divideIntoGroups(files, groupCount).map(async (group, index) => {
        const path = join(folder, `group-${index + 1}.test.mjs`)
        await writeFile(path, groupCode(group))
        return path
      }),
    )
    const exitCode = await runProgram([process.execPath, '--test', ...options, ...groupFiles])
    // A pattern of test names leaves out the files without such a test.
    const mustRunAll = resultsVariable in process.env && !options.some((option) => option.includes('-name-pattern'))
    const hasUnfinished = mustRunAll && (await reportUnfinished(files))
    return exitCode === 0 && hasUnfinished ? 1 : exitCode
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

forwardSignals()
const patterns = args.filter((arg) => !arg.startsWith('-'))
const emptyPatterns = patterns.filter((pattern) => findFiles(pattern).length === 0)
if (emptyPatterns.length > 0) {
  console.error(`There are no test files at ${emptyPatterns.join(', ')}.`)
  process.exitCode = 1
} else {
  const files = new Set(patterns.flatMap(findFiles).map((path) => relative('', path)))
  process.exitCode = await runFiles([...files].toSorted())
}
