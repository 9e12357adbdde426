/**
 * Runs test files with node:test, several in each process: node tools/test/run-groups.ts [--OPTION …] FILE …
 * Loading the modules of the service takes more CPU time than the tests of most files.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
const child = spawn(process.execPath, ['--test', ...options, ...groupFiles], { stdio: 'inherit' })
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
// On Ctrl+C the terminal signals the child itself.
process.on('SIGINT', () => {})
const [exitCode] = (await once(child, 'close')) as [number | null]
await rm(folder, { recursive: true, force: true })
process.exitCode = exitCode ?? 1
