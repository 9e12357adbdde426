/** A client that a public generator makes from the served description has the right types, and works. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase } from './support/database.ts'
import { ask } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'

const run = promisify(execFile)
const generator = fileURLToPath(new URL('../../fuzz/client/generate.ts', import.meta.url))
const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc')

/** What an integrator might write: every line that says so must not compile, and all the others must. */
const program = `
import { createClient, createConfig } from './generated/client/index.ts'
import type { Employee, LeaveRequestCreate } from './generated/index.ts'
import { createLeave, getEmployee, getHealth, getLeave, listEmployees, listLeave } from './generated/index.ts'

export const use = async (baseUrl: string, token: string) => {
  const client = createClient(createConfig({ baseUrl, auth: () => token }))
  const health = await getHealth({ client, throwOnError: true })
  const page = await listEmployees({ client, query: { limit: 2, offset: 1, q: 'a' }, throwOnError: true })
  const first: Employee | undefined = page.data.data[0]
  const employee = await getEmployee({ client, path: { item_id: String(first?.id) }, throwOnError: true })
  const body: LeaveRequestCreate = { employee_id: first?.id ?? null, leave_type: 'annual', days: 2.5, reason: null }
  const made = await createLeave({ client, body, throwOnError: true })
  const read = await getLeave({ client, path: { item_id: String(made.data.id) }, throwOnError: true })
  const blank = await createLeave({ client, body: { leave_type: ' ' } })
  const stranger = await createLeave({ client, body, auth: () => 'wrong' })
  const nobody = await getLeave({ client, path: { item_id: 'nobody' } })
  const shaped = await listEmployees({
    client,
    query: { limit: 2, fields: ['id', 'dept_id'], expand: ['department', 'manager'] },
    throwOnError: true,
  })
  const department: string | undefined = shaped.data.data[0]?.department?.name
  const wide = await listLeave({ client, query: { limit: 201 } })
  return {
    writesEnabled: health.data.writes_enabled,
    page: page.data,
    total: page.data.meta.total,
    employee: employee.data,
    made: made.data,
    read: read.data,
    shaped: shaped.data,
    department,
    blankCode: blank.error && 'error' in blank.error ? blank.error.error.code : undefined,
    strangerStatus: stranger.response?.status,
    nobodyStatus: nobody.response?.status,
    wideFault: wide.error && 'detail' in wide.error ? wide.error.detail[0]?.type : undefined,
  }
}

export const mistakes = async () => {
  // @ts-expect-error an unknown property
  await createLeave({ body: { leave_type: 'annual', nickname: 'x' } })
  // @ts-expect-error a required property is left out
  await createLeave({ body: {} })
  // @ts-expect-error a required property is null
  await createLeave({ body: { leave_type: null } })
  // @ts-expect-error an integer as text
  await createLeave({ body: { leave_type: 'annual', employee_id: '1' } })
  // @ts-expect-error a filter that is not declared
  await listEmployees({ query: { colour: 'red' } })
  // @ts-expect-error a field that no employee has
  await listEmployees({ query: { fields: ['nickname'] } })
  // @ts-expect-error a record that no employee refers to
  await listEmployees({ query: { expand: ['job'] } })
  const { data } = await listEmployees({ throwOnError: true })
  // @ts-expect-error a related record that was perhaps not asked for
  data.data[0]?.department.name
  // @ts-expect-error a name that may be null
  data.data[0]?.first_name.length
  // @ts-expect-error a property that no record has
  data.data[0]?.nickname
}
`

const configuration = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2025',
    lib: ['es2025', 'dom', 'dom.iterable'],
    types: [],
    noEmit: true,
    strict: true,
    allowImportingTsExtensions: true,
  },
  include: ['.'],
}

describe('a client generated from the description', () => {
  let database: TestDatabase
  let service: RunningService
  let folder: string

  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
    folder = await mkdtemp(join(tmpdir(), 'muster-client-'))
    const description = join(folder, 'openapi.json')
    await writeFile(description, (await ask(`${service.base}/openapi.json`)).text)
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration))
    await writeFile(join(folder, 'program.ts'), program)
    await run(process.execPath, [generator, description, join(folder, 'generated')])
  })

  after(async () => {
    await service?.stop()
    await database?.drop()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  it('type-checks, and knows what is required, nullable and unknown', async () => {
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) => error)
    assert.equal(stdout, '')
  })

  it('lists, gets and creates, and understands refusals', async () => {
    const { use } = (await import(pathToFileURL(join(folder, 'program.ts')).href)) as {
      // biome-ignore lint/suspicious/noExplicitAny: its types are checked where it is compiled
      use: (baseUrl: string, token: string) => Promise<any>
    }
    const used = await use(service.base, token)
    assert.equal(used.writesEnabled, true)
    assert.deepEqual(used.page, (await ask(`${service.base}/v1/employees?limit=2&offset=1&q=a`)).json)
    assert.ok(used.total > 2)
    assert.deepEqual(used.employee, used.page.data[0])
    assert.equal(used.made.leave_type, 'annual')
    assert.equal(used.made.employee_id, used.employee.id)
    assert.deepEqual(used.made, (await ask(`${service.base}/v1/leave/${used.made.id}`)).json)
    assert.deepEqual(used.read, used.made)
    const shape = 'fields=id,dept_id&expand=department,manager'
    assert.deepEqual(used.shaped, (await ask(`${service.base}/v1/employees?limit=2&${shape}`)).json)
    assert.equal(used.department, used.shaped.data[0].department.name)
    assert.deepEqual(Object.keys(used.shaped.data[0]), ['id', 'dept_id', 'department', 'manager'])
    assert.equal(used.blankCode, 'validation_error')
    assert.equal(used.strangerStatus, 401)
    assert.equal(used.nobodyStatus, 404)
    assert.equal(used.wideFault, 'less_than_equal')
  })
})
