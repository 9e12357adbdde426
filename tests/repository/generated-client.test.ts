import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { TestDatabase } from '../support/database.ts'
import { createSeededDatabase } from '../support/database.ts'
import { sendRequest } from '../support/http.ts'
import type { RunningService } from '../support/service.ts'
import { startService, token } from '../support/service.ts'

const runProgram = promisify(execFile)
const generatorPath = fileURLToPath(new URL('../fuzz/client/generate.ts', import.meta.url))
const compilerPath = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc')

/** A program that uses the generated client. Lines after @ts-expect-error must not compile; all others must. */
const programText = `
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
  const created = await createLeave({ client, body, throwOnError: true })
  const fetched = await getLeave({ client, path: { item_id: String(created.data.id) }, throwOnError: true })
  const blank = await createLeave({ client, body: { leave_type: ' ' } })
  const unauthorized = await createLeave({ client, body, auth: () => 'wrong' })
  const missing = await getLeave({ client, path: { item_id: 'none' } })
  const projected = await listEmployees({
    client,
    query: { limit: 2, fields: ['id', 'dept_id'], expand: ['department', 'manager'] },
    throwOnError: true,
  })
  const department: string | undefined = projected.data.data[0]?.department?.name
  const tooLarge = await listLeave({ client, query: { limit: 201 } })
  return {
    writesEnabled: health.data.writes_enabled,
    page: page.data,
    total: page.data.meta.total,
    employee: employee.data,
    created: created.data,
    fetched: fetched.data,
    projected: projected.data,
    department,
    blankCode: blank.error && 'error' in blank.error ? blank.error.error.code : undefined,
    unauthorizedStatus: unauthorized.response?.status,
    missingStatus: missing.response?.status,
    tooLargeError: tooLarge.error && 'detail' in tooLarge.error ? tooLarge.error.detail[0]?.type : undefined,
  }
}

export const mistakes = async () => {
  // @ts-expect-error an unknown property
  await createLeave({ body: { leave_type: 'annual', nickname: 'x' } })
  // @ts-expect-error a missing required property
  await createLeave({ body: {} })
  // @ts-expect-error null for a required property
  await createLeave({ body: { leave_type: null } })
  // @ts-expect-error an integer as text
  await createLeave({ body: { leave_type: 'annual', employee_id: '1' } })
  // @ts-expect-error an undeclared filter
  await listEmployees({ query: { colour: 'red' } })
  // @ts-expect-error an unknown field
  await listEmployees({ query: { fields: ['nickname'] } })
  // @ts-expect-error an unknown relation
  await listEmployees({ query: { expand: ['job'] } })
  const { data } = await listEmployees({ throwOnError: true })
  // @ts-expect-error a related record that may be absent
  data.data[0]?.department.name
  // @ts-expect-error a name that may be null
  data.data[0]?.first_name.length
  // @ts-expect-error an unknown property of a record
  data.data[0]?.nickname
}
`

const tsconfig = {
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

describe('a client generated from the OpenAPI document', () => {
  let database: TestDatabase
  let service: RunningService
  let folder: string

  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
    folder = await mkdtemp(join(tmpdir(), 'muster-client-'))
    const documentFile = join(folder, 'openapi.json')
    await writeFile(documentFile, (await sendRequest(`${service.baseUrl}/openapi.json`)).text)
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
    await writeFile(join(folder, 'program.ts'), programText)
    await runProgram(process.execPath, [generatorPath, documentFile, join(folder, 'generated')])
  })

  after(async () => {
    await service?.stop()
    await database?.drop()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  it('compiles, and its types reject unknown, missing and null properties where the API does', async () => {
    const { stdout } = await runProgram(process.execPath, [compilerPath, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    assert.equal(stdout, '')
  })

  it('can list, get and create records and read errors', async () => {
    const { use } = (await import(pathToFileURL(join(folder, 'program.ts')).href)) as {
      // biome-ignore lint/suspicious/noExplicitAny: its types are checked by the compiler test above
      use: (baseUrl: string, token: string) => Promise<any>
    }
    const result = await use(service.baseUrl, token)
    assert.equal(result.writesEnabled, true)
    assert.deepEqual(result.page, (await sendRequest(`${service.baseUrl}/v1/employees?limit=2&offset=1&q=a`)).json)
    assert.ok(result.total > 2)
    assert.deepEqual(result.employee, result.page.data[0])
    assert.equal(result.created.leave_type, 'annual')
    assert.equal(result.created.employee_id, result.employee.id)
    assert.deepEqual(result.created, (await sendRequest(`${service.baseUrl}/v1/leave/${result.created.id}`)).json)
    assert.deepEqual(result.fetched, result.created)
    const projection = 'fields=id,dept_id&expand=department,manager'
    assert.deepEqual(
      result.projected,
      (await sendRequest(`${service.baseUrl}/v1/employees?limit=2&${projection}`)).json,
    )
    assert.equal(result.department, result.projected.data[0].department.name)
    assert.deepEqual(Object.keys(result.projected.data[0]), ['id', 'dept_id', 'department', 'manager'])
    assert.equal(result.blankCode, 'validation_error')
    assert.equal(result.unauthorizedStatus, 401)
    assert.equal(result.missingStatus, 404)
    assert.equal(result.tooLargeError, 'less_than_equal')
  })
})
