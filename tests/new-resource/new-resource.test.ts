/**
 * Adds a resource, and a field, to a clone of the last commit with the steps of CONTRIBUTING.md, and runs the suites there.
 * Counts the files that a person writes: all changed files, except those that `npm run generate` says it wrote.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const files = join(import.meta.dirname, 'files')

/** A clone of the last commit with the packages of this one. */
const cloneRepository = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-new-resource-'))
  // The PostgreSQL server of the tests runs as another user, and reads files of the clone.
  await chmod(folder, 0o755)
  await run('git', ['clone', '--quiet', '--shared', root, folder])
  // Hard links: the links to the workspaces are relative, so they lead to those of the clone.
  await run('cp', ['--archive', '--link', join(root, 'node_modules'), folder])
  for (const name of await readdir(join(root, 'packages'))) {
    const installed = join(root, 'packages', name, 'node_modules')
    await run('cp', ['--archive', '--link', installed, join(folder, 'packages', name)]).catch(() => {})
  }
  return folder
}

const replaceIn = async (file: string, text: string, replacement: string): Promise<void> => {
  const before = await readFile(file, 'utf8')
  assert.equal(before.split(text).length, 2, `${file} contains this once: ${text}`)
  await writeFile(file, before.replace(text, replacement))
}

/** Runs a script of package.json and returns its output. */
const npm = async (folder: string, ...args: readonly string[]): Promise<string> => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  try {
    const { stdout, stderr } = await run('npm', ['run', '--silent', ...args], { cwd: folder, env, maxBuffer: 1e9 })
    return stdout + stderr
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    assert.fail(`npm run ${args.join(' ')} failed:\n${`${stdout}${stderr}`.slice(-8_000)}`)
  }
}

const changedFiles = async (folder: string): Promise<string[]> => {
  const { stdout } = await run('git', ['status', '--porcelain', '--untracked-files=all'], { cwd: folder })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(3))
}

const writtenFiles = (output: string): string[] => [...output.matchAll(/^wrote (.+)$/gm)].map(([, path = '']) => path)

interface Addition {
  readonly title: string
  readonly maxFiles: number
  readonly write: (folder: string) => Promise<void>
  /** A test in `files` that is run in the clone too. */
  readonly test?: string
}

const additions: readonly Addition[] = [
  {
    title: 'the resource interviews',
    maxFiles: 5,
    test: 'interviews-erase.test.ts',
    async write(folder) {
      await cp(join(files, 'interviews-declaration.ts.txt'), join(folder, 'packages/model/src/resources/interviews.ts'))
      await cp(join(files, 'interviews-contract.ts.txt'), join(folder, 'tests/contract/interviews.ts'))
      const registry = join(folder, 'packages/model/src/registry.ts')
      await replaceIn(
        registry,
        'import { jobDistributions }',
        "import { interviews } from './resources/interviews.ts'\nimport { jobDistributions }",
      )
      await replaceIn(registry, '  jobDistributions,\n]', '  jobDistributions,\n  interviews,\n]')
      await replaceIn(
        join(folder, 'CHANGELOG.md'),
        '### HTTP API\n',
        '### HTTP API\n\n- Interviews: who interviews for which application, when, and with which result.\n',
      )
    },
  },
  {
    title: 'an optional field of employees with a filter',
    maxFiles: 3,
    async write(folder) {
      await replaceIn(
        join(folder, 'packages/model/src/resources/employees.ts'),
        '    password_hash:',
        "    cost_center: name('Cost center.', { filter: true }),\n    password_hash:",
      )
      await replaceIn(
        join(folder, 'tests/contract/employees.ts'),
        '    password_hash:',
        "    cost_center: { kind: 'text', nullable: true, filter: true },\n    password_hash:",
      )
      await replaceIn(
        join(folder, 'CHANGELOG.md'),
        '### HTTP API\n',
        '### HTTP API\n\n- Employees have a cost center.\n',
      )
    },
  },
]

for (const { title, maxFiles, write, test } of additions) {
  describe(`${title}, added to a clone`, () => {
    let folder: string
    let generatedFiles: string[]
    const startedAt = performance.now()
    before(async () => {
      folder = await cloneRepository()
    })
    after(() => rm(folder, { recursive: true, force: true }))

    it(`needs at most ${maxFiles} files by hand`, async () => {
      await write(folder)
      generatedFiles = writtenFiles(await npm(folder, 'generate'))
      const writtenByHand = (await changedFiles(folder)).filter((path) => !generatedFiles.includes(path))
      console.log(`${title}: ${writtenByHand.length} files by hand: ${writtenByHand.join(', ')}`)
      console.log(`${title}: generated: ${generatedFiles.join(', ')}`)
      assert.ok(writtenByHand.length <= maxFiles, writtenByHand.join(', '))
      assert.equal(generatedFiles.filter((path) => dirname(path) === 'packages/server/migrations').length, 1)
    })

    it('is complete: generated files are up to date', async () => {
      await npm(folder, 'generate', '--', '--check')
    })

    if (test !== undefined)
      it(`passes ${test}`, async () => {
        const file = `packages/server/test/commands/${test}`
        await cp(join(files, `${test}.txt`), join(folder, file))
        await npm(folder, 'test', '--', 'unit', file)
      })

    for (const suite of [['types'], ['lint'], ['test'], ['test', '--', 'acceptance'], ['test', '--', 'fuzz']]) {
      it(`passes npm run ${suite.join(' ')}`, { timeout: 3_600_000 }, async () => {
        await npm(folder, ...suite)
        console.log(
          `${title}: passed ${suite.join(' ')} after ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`,
        )
      })
    }
  })
}
