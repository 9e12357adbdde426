import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
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
const pathOf = (relativePath: string): string => fileURLToPath(new URL(relativePath, import.meta.url))
const generatorPath = pathOf('../fuzz/client/generate.ts')
const typeGeneratorPath = pathOf('../fuzz/client/generate-types.ts')
const compilerPath = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc')

/**
 * A program that uses the client of @hey-api/openapi-ts. Lines after @ts-expect-error must not compile; all others must.
 */
const programText = `
import { createClient, createConfig } from './generated/client/index.ts'
import type { Employee, LeaveRequestCreate } from './generated/index.ts'
import { countApplications, createLeave, getEmployee, getHealth, getLeave } from './generated/index.ts'
import { getLeaveDaysReport, listEmployees, listLeave } from './generated/index.ts'

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
  const sorted = await listEmployees({ client, query: { sort: ['-id'], id: [1, 2] }, throwOnError: true })
  const lengthOfStatus: number | undefined = sorted.data.data[0]?.status.length
  const counts = await countApplications({
    client,
    query: { by: ['stage', 'month(applied_on)'], status_not: 'rejected' },
    throwOnError: true,
  })
  const stage: string | null | undefined = counts.data.data[0]?.stage
  const report = await getLeaveDaysReport({
    client,
    query: { from: '2026-01-01', 'employee.dept_id': [3, 7] },
    throwOnError: true,
  })
  const out: number | null | undefined = report.data.data[0]?.out
  const tooLarge = await listLeave({ client, query: { limit: 201 } })
  return {
    sorted: sorted.data,
    lengthOfStatus,
    counts: counts.data,
    stage,
    report: report.data,
    out,
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
  // @ts-expect-error an unknown sort order
  await listEmployees({ query: { sort: ['nickname'] } })
  // @ts-expect-error an unknown grouping
  await countApplications({ query: { by: ['nickname'] } })
  const { data } = await listEmployees({ throwOnError: true })
  // @ts-expect-error a related record that may be absent
  data.data[0]?.department.name
  // @ts-expect-error a name that may be null
  data.data[0]?.first_name.length
  // @ts-expect-error an unknown property of a record
  data.data[0]?.nickname
}
`

/** The same with openapi-fetch and types of openapi-typescript. */
const fetchProgramText = `
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.ts'

export const use = async (baseUrl: string, token: string) => {
  const client = createClient<paths, 'application/json'>({
    baseUrl,
    headers: { authorization: 'Bearer ' + token },
    querySerializer: { array: { style: 'form', explode: false } },
  })
  const sorted = await client.GET('/v1/employees', { params: { query: { sort: ['-id'], id: [1, 2] } } })
  const first: components['schemas']['Employee'] | undefined = sorted.data?.data[0]
  const lengthOfStatus: number | undefined = sorted.data?.data[0]?.status.length
  const projected = await client.GET('/v1/employees', {
    params: { query: { limit: 2, fields: ['id', 'dept_id'], expand: ['department', 'manager'] } },
  })
  const department: string | undefined = projected.data?.data[0]?.department?.name
  const counts = await client.GET('/v1/counts/applications', {
    params: { query: { by: ['stage', 'month(applied_on)'], status_not: 'rejected' } },
  })
  const stage: string | null | undefined = counts.data?.data[0]?.stage
  const report = await client.GET('/v1/reports/leave-days', {
    params: { query: { from: '2026-01-01', 'employee.dept_id': [3, 7] } },
  })
  const out: number | null | undefined = report.data?.data[0]?.out
  const created = await client.POST('/v1/leave', {
    body: { employee_id: first?.id ?? null, leave_type: 'annual', days: 2.5 },
  })
  const fetched = await client.GET('/v1/leave/{item_id}', { params: { path: { item_id: String(created.data?.id) } } })
  const blank = await client.POST('/v1/leave', { body: { leave_type: ' ' } })
  return {
    sorted: sorted.data,
    lengthOfStatus,
    projected: projected.data,
    department,
    counts: counts.data,
    stage,
    report: report.data,
    out,
    created: created.data,
    fetched: fetched.data,
    blankCode: blank.error?.error.code,
  }
}

export const mistakes = async () => {
  const client = createClient<paths, 'application/json'>()
  // @ts-expect-error null for a required property
  await client.POST('/v1/leave', { body: { leave_type: null } })
  // @ts-expect-error a missing required property
  await client.POST('/v1/leave', { body: {} })
  // @ts-expect-error an undeclared filter
  await client.GET('/v1/employees', { params: { query: { colour: 'red' } } })
  // @ts-expect-error an unknown field
  await client.GET('/v1/employees', { params: { query: { fields: ['nickname'] } } })
  // @ts-expect-error an unknown relation
  await client.GET('/v1/employees', { params: { query: { expand: ['job'] } } })
  // @ts-expect-error an unknown sort order
  await client.GET('/v1/employees', { params: { query: { sort: ['nickname'] } } })
  // @ts-expect-error an unknown grouping
  await client.GET('/v1/counts/applications', { params: { query: { by: ['nickname'] } } })
  // @ts-expect-error a count needs a grouping
  await client.GET('/v1/counts/applications', { params: { query: {} } })
  const { data } = await client.GET('/v1/employees')
  // @ts-expect-error a name that may be null
  data?.data[0]?.first_name.length
  // @ts-expect-error an unknown property of a record
  data?.data[0]?.nickname
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

describe('clients generated from the OpenAPI document', () => {
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
    await symlink(pathOf('../../node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'program.ts'), programText)
    await writeFile(join(folder, 'fetch-program.ts'), fetchProgramText)
    await runProgram(process.execPath, [generatorPath, documentFile, join(folder, 'generated')])
    await runProgram(process.execPath, [typeGeneratorPath, documentFile, join(folder, 'schema.ts')])
  })

  after(async () => {
    await service?.stop()
    await database?.drop()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  it('compile, and their types reject unknown, missing and null properties where the API does', async () => {
    const { stdout } = await runProgram(process.execPath, [compilerPath, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    assert.equal(stdout, '')
  })

  // biome-ignore lint/suspicious/noExplicitAny: its types are checked by the compiler test above
  const runUse = async (file: string): Promise<any> => {
    const { use } = await import(pathToFileURL(join(folder, file)).href)
    return use(service.baseUrl, token)
  }
  const json = async (path: string) => (await sendRequest(`${service.baseUrl}/v1/${path}`)).json

  for (const [generator, file] of [
    ['@hey-api/openapi-ts', 'program.ts'],
    ['openapi-typescript', 'fetch-program.ts'],
  ] as const) {
    it(`by ${generator} can list, count, report, get and create records`, async () => {
      const result = await runUse(file)
      assert.deepEqual(result.sorted, await json('employees?sort=-id&id=1,2'))
      assert.equal(result.sorted.data.length, 2)
      assert.equal(result.lengthOfStatus, result.sorted.data[0].status.length)
      assert.deepEqual(result.projected, await json('employees?limit=2&fields=id,dept_id&expand=department,manager'))
      assert.deepEqual(Object.keys(result.projected.data[0]), ['id', 'dept_id', 'department', 'manager'])
      assert.equal(result.department, result.projected.data[0].department.name)
      assert.deepEqual(result.counts, await json('counts/applications?by=stage,month(applied_on)&status_not=rejected'))
      assert.equal(result.stage, result.counts.data[0].stage)
      assert.ok(result.counts.meta.groups > 2)
      assert.deepEqual(result.report, await json('reports/leave-days?from=2026-01-01&employee.dept_id=3,7'))
      assert.equal(result.out, result.report.data[0].out)
      assert.equal(result.created.leave_type, 'annual')
      assert.deepEqual(result.created, await json(`leave/${result.created.id}`))
      assert.deepEqual(result.fetched, result.created)
      assert.equal(result.blankCode, 'validation_error')
    })
  }

  it('by @hey-api/openapi-ts can search, read errors and tell whether creates are enabled', async () => {
    const result = await runUse('program.ts')
    assert.equal(result.writesEnabled, true)
    assert.deepEqual(result.page, await json('employees?limit=2&offset=1&q=a'))
    assert.ok(result.total > 2)
    assert.deepEqual(result.employee, result.page.data[0])
    assert.equal(result.created.employee_id, result.employee.id)
    assert.equal(result.unauthorizedStatus, 401)
    assert.equal(result.missingStatus, 404)
    assert.equal(result.tooLargeError, 'less_than_equal')
  })
})
