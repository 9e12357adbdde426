/** What the compiler says about a wrong name: one line that names a type, instead of the members of a type. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const compilers = { 'TypeScript 7': 'typescript', 'TypeScript 6': 'typescript-6' }
/** Without the suggestion that the compiler appends. Before the types had names, most messages had 270 to 440 characters. */
const maxLength = 170

const unknownName = (name: string, type: string): string =>
  `Object literal may only specify known properties, and '${name}' does not exist in type '${type}'.`
const misspelt = (name: string, type: string, suggestion: string): string =>
  `Object literal may only specify known properties, but '${name}' does not exist in type '${type}'. Did you mean to write '${suggestion}'?`
const notAssignable = (value: string, type: string): string => `Type '${value}' is not assignable to type '${type}'.`

/** Statements with one mistake each, and the message of the compiler. */
const mistakes: readonly (readonly [code: string, message: string])[] = [
  [
    `await muster.employees.list({ expand: ['departmen'] })`,
    `${notAssignable('"departmen"', 'EmployeeRelation')} Did you mean '"department"'?`,
  ],
  [`await muster.employees.get(1, { expand: ['job'] })`, notAssignable('"job"', 'EmployeeRelation')],
  [`await muster.employees.list({ fields: ['id', 'nickname'] })`, notAssignable('"nickname"', 'keyof Employee')],
  [
    `await muster.employees.list({ stauts: 'active' })`,
    misspelt('stauts', 'EmployeeQuery & Selection<keyof Employee, never>', 'status'),
  ],
  [
    `await muster.leave.list({ 'employee.nickname': 'x' })`,
    unknownName(`'employee.nickname'`, 'LeaveQuery & Selection<keyof LeaveRequest, never>'),
  ],
  [
    `muster.organizationTeams.each({ limit: 10 })`,
    unknownName('limit', 'Unpaged<OrganizationTeamQuery> & Selection<keyof OrganizationTeam, never>'),
  ],
  [`await muster.employees.list({ status: 1 })`, notAssignable('number', 'string | readonly string[] | undefined')],
  [`await muster.employees.list({ health: 'x' })`, notAssignable('"x"', 'EmployeeHealth | undefined')],
  [`await muster.employees.list({ sort: ['nickname'] })`, notAssignable('"nickname"', 'EmployeeSortKey')],
  [
    `await muster.employees.list({ sort: '-nickname' })`,
    notAssignable('"-nickname"', 'EmployeeSortKey | readonly EmployeeSortKey[] | undefined'),
  ],
  [
    `await muster.organizationTeams.count({ by: 'nickname' })`,
    notAssignable('"nickname"', 'OneOrTwo<OrganizationTeamGroupKey>'),
  ],
  [
    `await muster.employees.count({ by: 'status', stauts: 'active' })`,
    misspelt('stauts', 'EmployeeFilters & Grouping<"status">', 'status'),
  ],
  [`await muster.leave.create({ leave_type: 'annual', nickname: 'x' })`, unknownName('nickname', 'LeaveCreate')],
  [`await muster.employees.create({})`, `Property 'create' does not exist on type 'ResourceClient<EmployeeTypes>'.`],
  [`void (await muster.employees.list()).data[0]?.nickname`, `Property 'nickname' does not exist on type 'Employee'.`],
  [
    `void (await muster.employees.get(1, { expand: ['department'] })).nickname`,
    `Property 'nickname' does not exist on type 'Employee & Pick<EmployeeRelations, "department">'.`,
  ],
  [`await muster.reports.leaveDays({ form: '2026-01-01' })`, unknownName('form', 'LeaveDaysReportQuery')],
  [`await muster.reports.openings({ by: 'x' })`, notAssignable('"x"', 'OpeningsReportBy | undefined')],
]

const program = [
  `import { createClient } from '@muster/client'`,
  `const muster = createClient({ baseUrl: '' })`,
  ...mistakes.map(([code]) => code),
].join('\n')

/** The two versions of the compiler write the members of a union in different orders. */
const inOneOrder = (message: string): string =>
  message.replace('readonly EmployeeSortKey[] | EmployeeSortKey', 'EmployeeSortKey | readonly EmployeeSortKey[]')

describe('the message about a mistake is one short line that names a type', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-messages-'))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'program.ts'), program)
    const config = { extends: join(root, 'packages/client/tsconfig.json'), include: ['program.ts'] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  })
  after(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  for (const [about, name] of Object.entries(compilers))
    it(`with ${about}`, async () => {
      const compiler = join(root, 'node_modules', name, 'bin', 'tsc')
      const { stdout } = await promisify(execFile)(process.execPath, [
        compiler,
        '-p',
        folder,
        '--pretty',
        'false',
      ]).catch((error: { stdout: string }) => error)
      const messages = stdout
        .trim()
        .split('\n')
        .map((line) => inOneOrder(line.replace(/^.*?: error TS\d+: /, '')))
      assert.deepEqual(
        messages,
        mistakes.map(([, message]) => message),
      )
      for (const message of messages) assert.ok(message.replace(/ Did you mean .*/, '').length <= maxLength, message)
    })
})
