/** Runs the commands of docs/nightly-import.md and compares their output with the document. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { mapNames } from '../../src/commands/sync-maps.ts'

const run = promisify(execFile)
const musterFile = fileURLToPath(new URL('../../bin/muster.js', import.meta.url))
const sampleOf: Readonly<Record<string, string>> = {
  'bamboo.csv': 'bamboohr-employees.csv',
  'bamboo-2.csv': 'bamboohr-next-night.csv',
  'departments.csv': 'departments.csv',
}

/** A regular expression for the documented output: durations vary, and "…" stands for any lines. */
const outputPattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/in \d+\\\.\d s/g, 'in \\d+\\.\\d s')
      .replaceAll('…\n', '(?:.*\\n)*')}$`,
  )

describe('docs/nightly-import.md', () => {
  let database: TestDatabase
  let folder: string
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-nightly-'))
    for (const [name, sample] of Object.entries(sampleOf))
      await copyFile(new URL(`sync-samples/${sample}`, import.meta.url), join(folder, name))
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })

  it('shows commands that work and print what it says', async () => {
    const document = await readFile(new URL('../../../../docs/nightly-import.md', import.meta.url), 'utf8')
    const examples = [...document.matchAll(/^```console\n\$ ([^\n]+)\n(.*?)^```$/gms)]
    assert.equal(examples.length, 7)
    for (const [, command = '', output = ''] of examples) {
      const script = command.replace('npx muster', `"${process.execPath}" "${musterFile}"`)
      const env = { PATH: process.env.PATH, DATABASE_URL: database.url }
      const result = await run('sh', ['-c', `${script}; echo "exit $?"`], { cwd: folder, env })
      assert.match(result.stdout, outputPattern(`${output}exit ${command.endsWith('--dry-run') ? 3 : 0}\n`))
    }
  })

  it('lists the maps of this release', async () => {
    const document = await readFile(new URL('../../../../docs/nightly-import.md', import.meta.url), 'utf8')
    const listed = [...document.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name)
    assert.deepEqual(listed.toSorted(), await mapNames())
  })
})
