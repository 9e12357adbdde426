/**
 * Runs test files with node:test, several in each process: node tools/test/run-groups.ts [--OPTION …] FILE …
 * Loading the modules of the service takes more CPU time than the tests of most files.
 */
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forwardSignals, runProgram } from '../scripts/run-program.ts'
import { divideIntoGroups, groupCode, groupFileName } from './groups.ts'

/** More groups than processes that run at a time: with fewer, processes would be idle while the last group runs. */
const groupCount = 16

const args = process.argv.slice(2)
const options = args.filter((arg) => arg.startsWith('-'))
const files = globSync(args.filter((arg) => !arg.startsWith('-'))).toSorted()
if (files.length === 0) throw new Error('No test file matches.')

const folder = await mkdtemp(join(tmpdir(), 'muster-test-groups-'))
const groupFiles = await Promise.all(
  divideIntoGroups(files, groupCount).map(async (group, index) => {
    const path = join(folder, groupFileName(index + 1))
    await writeFile(path, groupCode(group))
    return path
  }),
)
forwardSignals()
process.exitCode = await runProgram([process.execPath, '--test', ...options, ...groupFiles])
await rm(folder, { recursive: true, force: true })
