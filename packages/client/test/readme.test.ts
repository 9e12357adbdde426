/** Checks that the examples in README.md and in examples/ compile and run. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestDatabase } from '../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../tests/support/database.ts'
import type { RunningService } from '../../../tests/support/service.ts'
import { startService, token } from '../../../tests/support/service.ts'

const run = promisify(execFile)
const folderOfPackage = fileURLToPath(new URL('..', import.meta.url))
const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc')
const nightlyCopy = join(folderOfPackage, 'examples', 'nightly-copy.ts')

/**
 * The expected output of each example, in the order of README.md. The first example prints nothing and is not listed:
 * it creates the client, so it is put before each of the others.
 */
const expectedOutputs: readonly RegExp[] = [
  /^20 of \d+\n$/,
  /^\d+(\.5)? days\n$/,
  /^(\w+ \S+@\S+ .+\n){10}.+\n$/,
  /^(\w+ (\d{4}-\d\d|null) \d+\n){3,}$/,
  /^For each day, .+\n(\d{4}-\d\d-\d\d \d+ \/api\/v1\/leave\?\S+\n){31}$/,
  /^\d+\n$/,
  /^1\.0\.0 public true\n$/,
  /^\d+ pending\n$/,
  /^422 validation_error [\w-]+\nbody\.leave_type string_too_short .+\nbody\.from_date date_parsing .+\n$/,
  /^$/,
  /^\S+ \S+ sick\n\d+\n$/,
]

describe('README.md', () => {
  let database: TestDatabase
  let service: RunningService
  let folder: string
  let exampleFiles: string[]

  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
    folder = await mkdtemp(join(tmpdir(), 'muster-client-'))
    const readme = await readFile(join(folderOfPackage, 'README.md'), 'utf8')
    const [setup = '', ...examples] = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '')
    exampleFiles = examples.map((_, index) => join(folder, `example-${index + 1}.ts`))
    const client = JSON.stringify(join(folderOfPackage, 'src', 'index.ts'))
    for (const [index, example] of examples.entries())
      await writeFile(exampleFiles[index] as string, `${setup}\n${example}`.replaceAll("'@muster/client'", client))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  })
  after(async () => {
    await service?.stop()
    await database?.drop()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  const environment = () => ({ PATH: process.env.PATH, MUSTER_URL: service.baseUrl, MUSTER_API_TOKEN: token })

  it('has examples that compile', async () => {
    const configuration = {
      extends: join(folderOfPackage, '..', '..', 'tsconfig.json'),
      compilerOptions: {
        typeRoots: [join(folderOfPackage, '..', '..', 'node_modules', '@types')],
        noUnusedLocals: false,
      },
      include: ['.'],
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration))
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) => error)
    assert.equal(stdout, '')
  })

  for (const [index, output] of expectedOutputs.entries()) {
    it(`has an example ${index + 1} that prints the expected output`, async () => {
      const { stdout, stderr } = await run(process.execPath, [exampleFiles[index] ?? ''], { env: environment() })
      assert.match(stdout, output)
      assert.equal(stderr, '')
    })
  }

  it('has no example without an expected output', () => {
    assert.equal(exampleFiles.length, expectedOutputs.length)
  })

  it('links to an example that copies employees and applications in at most 12 lines', async () => {
    const code = (await readFile(nightlyCopy, 'utf8'))
      .split('\n')
      .filter((line) => !/^\s*(\/\/.*|\/\*\*.*)?$/.test(line))
    assert.ok(code.length <= 12, `${code.length} lines`)
    const copies = await mkdtemp(join(folder, 'copies-'))
    await run(process.execPath, [nightlyCopy], { env: { ...environment(), FOLDER: copies } })
    assert.deepEqual(await readdir(copies), ['applications.ndjson', 'employees.ndjson'])
    for (const name of ['employees', 'applications']) {
      const exported = await (await fetch(`${service.baseUrl}/v1/${name}?format=ndjson`)).text()
      const rewritten = exported.replaceAll(/.+/g, (line) => JSON.stringify(JSON.parse(line)))
      assert.equal(await readFile(join(copies, `${name}.ndjson`), 'utf8'), rewritten)
      assert.ok(rewritten.split('\n').length > 100)
    }
  })
})
