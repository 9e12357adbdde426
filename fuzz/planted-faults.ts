/** In charge of proving the machine itself: plants faults into a copy of the sources, and wants each of them caught by the right check. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PlantedFault } from './planted-fault-list.ts'
import { plantedFaults } from './planted-fault-list.ts'
import type { Count, Failure } from './tally.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Enough cases for every generator to be used; the tables are run whole. */
const cases = '660'

/** A tree of its own: the sources copied, the installed packages linked one by one, the workspaces linked to the copies. */
const makeCopy = async (): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'muster-planted-'))
  for (const name of ['model', 'service', 'scripts', 'fuzz', 'acceptance', 'contract', 'package.json'])
    await cp(join(root, name), join(copy, name), { recursive: true, filter: (path) => !path.includes('node_modules') })
  // A fault in the description would be refused as drift, and the machine would have proved nothing about itself.
  await rm(join(copy, 'contract', 'openapi.json'))
  await mkdir(join(copy, 'node_modules', '@muster'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '@muster') await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  }
  for (const name of ['model', 'service']) await symlink(join(copy, name), join(copy, 'node_modules', '@muster', name))
  return copy
}

interface Report {
  readonly failures: readonly Failure[]
  readonly counts: readonly Count[]
}

/** Runs the machine in the copy and returns what it found. */
const prove = async (copy: string): Promise<Report> => {
  const report = join(copy, 'report.json')
  await rm(report, { force: true })
  const machine = ['fuzz/run.ts', '--cases', cases, '--seed', '1', '--report', report]
  const child = spawn(process.execPath, ['scripts/with-service.ts', process.execPath, ...machine], {
    cwd: copy,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'exit')
  const text = await readFile(report, 'utf8').catch(() => undefined)
  if (text === undefined) throw new Error('The machine ended without a report.')
  return JSON.parse(text) as Report
}

const plant = async (copy: string, { file, from, to }: PlantedFault): Promise<() => Promise<void>> => {
  const path = join(copy, file)
  const text = await readFile(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} does not hold the planting place once: ${from}`)
  await writeFile(
    path,
    text.replace(from, () => to),
  )
  return () => writeFile(path, text)
}

/** How many failures each pair of source and check accounts for, the most telling first. */
const summary = (failures: readonly Failure[]): string => {
  const counts = new Map<string, number>()
  for (const { source, checks } of failures)
    for (const check of new Set(checks)) {
      const key = `${check} (${source})`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  return [...counts].map(([key, count]) => `${key} ${count}`).join(', ')
}

const copy = await makeCopy()
let passed = 0
let failed = 0
const judge = (isRight: boolean, line: string): void => {
  if (isRight) passed += 1
  else failed += 1
  console.log(`${isRight ? 'ok    ' : 'FAILED'} ${line}`)
}
try {
  const control = await prove(copy)
  judge(control.failures.length === 0, `control: nothing planted, ${summary(control.failures) || 'nothing found'}`)
  for (const fault of plantedFaults) {
    const mend = await plant(copy, fault)
    const { failures } = await prove(copy)
    await mend()
    const caught = failures.some(({ checks }) => checks.includes(fault.check))
    judge(caught, `${fault.about}: ${summary(failures) || 'nothing found'}`)
  }
  const kept = (await readdir(join(copy, 'fuzz', 'corpus'))).length
  const mended = await prove(copy)
  const again = mended.counts.find(({ source }) => source === 'regressions')?.passed
  judge(kept > 0 && again === kept && mended.failures.length === 0, `all mended: ${again} of ${kept} kept cases pass`)
} finally {
  await rm(copy, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
