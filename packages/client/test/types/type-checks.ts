/** Compiled, never run: each line under `@ts-expect-error` must not compile, and all others must. */
import type {
  AnyGroup,
  AnyRecord,
  Attendance,
  CareerSite,
  Client,
  CountableName,
  CountClients,
  Counts,
  Department,
  Employee,
  EmployeeTypes,
  Group,
  JobOpening,
  LeaveCreate,
  LeaveDaysReportRow,
  LeaveRequest,
  Page,
  RecruitmentBrand,
  ReportClients,
  ReportName,
  ReportQueries,
  ReportResult,
  ReportRows,
  ResourceClients,
  ResourceName,
  Resources,
  SelectedRecord,
} from '@muster/client'
import { createClient } from '@muster/client'

const muster = createClient({ baseUrl: 'http://127.0.0.1:8080/api' })

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const expectEqualTypes = <A, B>(_: Equal<A, B>): void => {}

export const names = () => {
  expectEqualTypes<keyof Client & ResourceName, ResourceName>(true)
  expectEqualTypes<keyof Client['reports'], ReportName>(true)
  // @ts-expect-error resources have camel-case names
  muster['career-sites']
  // @ts-expect-error the service creates no employees
  muster.employees.create
}

export const records = async () => {
  const page = await muster.employees.list()
  expectEqualTypes<typeof page, Page<Employee>>(true)
  expectEqualTypes<Employee['id'], number>(true)
  expectEqualTypes<Employee['status'], string>(true)
  expectEqualTypes<Employee['first_name'], string | null>(true)
  expectEqualTypes<Employee['dept_id'], number | null>(true)
  expectEqualTypes<Department, { id: number; name: string }>(true)
  // @ts-expect-error the name may be null
  page.data[0]?.first_name.length
  // @ts-expect-error no employee has it
  page.data[0]?.nickname
  for await (const row of muster.attendance.each()) expectEqualTypes<typeof row, Attendance>(true)
}

export const selections = async () => {
  const page = await muster.applications.list({ fields: ['id', 'stage'], expand: ['job'] })
  expectEqualTypes<typeof page, Page<{ id: number; stage: string; job: JobOpening }>>(true)
  const [application] = page.data
  // @ts-expect-error the status was not selected
  application?.status
  // @ts-expect-error the candidate was not expanded
  application?.candidate

  const employee = await muster.employees.get(1, { expand: ['department', 'manager'] })
  expectEqualTypes<(typeof employee)['department'], Department | null>(true)
  expectEqualTypes<(typeof employee)['manager'], Employee | null>(true)
  expectEqualTypes<(typeof employee)['email'], string | null>(true)
  for await (const row of muster.jobDistributions.each({ fields: ['slug'], expand: ['career_site', 'brand'] }))
    expectEqualTypes<typeof row, { slug: string; career_site: CareerSite; brand: RecruitmentBrand | null }>(true)

  // @ts-expect-error no employee has it
  await muster.employees.list({ fields: ['nickname'] })
  // @ts-expect-error employees do not refer to jobs
  await muster.employees.list({ expand: ['job'] })
  // @ts-expect-error the relation is called department
  await muster.employees.list({ expand: ['dept'] })
  // @ts-expect-error ids are numbers
  await muster.employees.get('1')
  // @ts-expect-error a single record has no filters
  await muster.employees.get(1, { status: 'active' })
}

export const queries = async () => {
  await muster.employees.list({ id: 3, status: ['active', 'on_leave'], manager_id: 7, alumni: 0 })
  await muster.employees.list({ id: [3, 17], base_salary_from: 1, date_of_joining_to: '2026-01-01', q: 'ada' })
  await muster.employees.list({
    first_name_is_null: true,
    sort: ['-date_of_joining', 'last_name'],
    limit: 50,
    offset: 1,
  })
  await muster.candidates.list({ created_from: '2026-03-01', sort: 'email', status: undefined })
  // @ts-expect-error a misspelt filter
  await muster.employees.list({ stauts: 'active' })
  // @ts-expect-error first_name has no equality filter
  await muster.employees.list({ first_name: 'Ada' })
  // @ts-expect-error references are numbers
  await muster.employees.list({ dept_id: '2' })
  await muster.employees.list({ dept_id: [2, 3], branch: ['Oslo', 'Rome'] })
  await muster.leave.list({ 'employee.dept_id': [2, 3], 'employee.status': 'active', 'employee.alumni': 0 })
  await muster.leave.list({ 'employee.date_of_joining_from': '2026-01-01', 'employee.base_salary_to': 1 })
  await muster.employees.list({ 'department.name': 'Research', 'manager.dept_id': 4 })
  // @ts-expect-error flags take one value
  await muster.employees.list({ alumni: [0, 1] })
  // @ts-expect-error references of related records are numbers
  await muster.leave.list({ 'employee.dept_id': '2' })
  // @ts-expect-error the reference itself filters by the id of the related record
  await muster.leave.list({ 'employee.id': 1 })
  // @ts-expect-error related records have no null filter
  await muster.leave.list({ 'employee.dept_id_is_null': true })
  // @ts-expect-error leave does not refer to jobs
  await muster.leave.list({ 'job.status': 'open' })
  // @ts-expect-error two relations
  await muster.leave.list({ 'employee.department.name': 'Research' })
  // @ts-expect-error texts have no ranges
  await muster.employees.list({ status_from: 'a' })
  // @ts-expect-error integers have no ranges
  await muster.employees.list({ alumni_from: 1 })
  // @ts-expect-error dates are texts
  await muster.employees.list({ date_of_joining_from: 2026 })
  // @ts-expect-error a status is never null
  await muster.employees.list({ status_is_null: true })
  // @ts-expect-error it has no column
  await muster.employees.list({ password_hash_is_null: true })
  // @ts-expect-error it is true or false
  await muster.employees.list({ dept_id_is_null: 'true' })
  // @ts-expect-error long texts have no order
  await muster.candidates.list({ sort: 'notes' })
  // @ts-expect-error not a field
  await muster.employees.list({ sort: '-nickname' })
  // @ts-expect-error all records of one snapshot have no pages
  muster.employees.each({ limit: 10 })
  // @ts-expect-error a misspelt filter
  muster.employees.each({ stauts: 'active' })
}

export const excludedStates = async () => {
  await muster.employees.list({ status_not: ['terminated', 'suspended'], status: 'active' })
  await muster.applications.count({ by: 'status', stage_not: 'hired' })
  muster.jobs.each({ status_not: 'closed' })
  // @ts-expect-error only states have it
  await muster.employees.list({ branch_not: 'Rome' })
  // @ts-expect-error states are texts
  await muster.employees.list({ status_not: 1 })
  // @ts-expect-error related records do not have it
  await muster.leave.list({ 'employee.status_not': 'terminated' })
}

export const computedFilters = async () => {
  await muster.employees.list({ under: 7, employed_on: '2026-01-01', health: 'manager_left' })
  await muster.applications.count({ by: 'stage', reached: 'interview', measured: 'time_to_hire' })
  // @ts-expect-error an id is a number
  await muster.employees.list({ under: '7' })
  // @ts-expect-error a date is a text
  await muster.employees.list({ employed_on: 2026 })
  // @ts-expect-error a stage is one text
  await muster.applications.list({ reached: ['interview'] })
  // @ts-expect-error not one of the choices
  await muster.applications.list({ measured: 'time_to_leave' })
  // @ts-expect-error a rule of another resource
  await muster.employees.list({ health: 'overlapping_leave' })
}

export const functionsOverResources = async () => {
  const clients: ResourceClients = muster
  const counts: CountClients = muster
  const { reports: reportClients }: ReportClients = muster
  const first = async <
    N extends ResourceName,
    const F extends keyof Resources[N]['record'],
    const E extends Resources[N]['relation'] = never,
  >(
    name: N,
    fields: readonly F[],
    expand: readonly E[] = [],
  ): Promise<SelectedRecord<Resources[N], F, E> | undefined> =>
    (await clients[name].list<F, E>({ fields, expand, limit: 1 })).data[0]
  const groups = async <N extends CountableName, const G extends Resources[N]['groupKey']>(name: N, by: G) =>
    (await counts[name].count<G>({ by })).data
  const report = <N extends ReportName>(name: N, query: ReportQueries[N]) => reportClients[name](query)

  const employee = await first('employees', ['id', 'code'], ['department'])
  expectEqualTypes<typeof employee, { id: number; code: string | null; department: Department | null } | undefined>(
    true,
  )
  const byStatus = await groups('employees', 'status')
  expectEqualTypes<typeof byStatus, Group<EmployeeTypes, 'status'>[]>(true)
  expectEqualTypes<(typeof byStatus)[number], { status: string; count: number }>(true)
  const days = await report('leaveDays', { from: '2026-01-01' })
  expectEqualTypes<typeof days, ReportResult<LeaveDaysReportRow>>(true)
  // @ts-expect-error no employee has it
  await first('employees', ['nickname'])
  // @ts-expect-error employees do not refer to jobs
  await first('employees', ['id'], ['job'])
  // @ts-expect-error names are not countable
  await groups('employees', 'first_name')
  // @ts-expect-error a parameter of another report
  await report('leaveDays', { managers_only: true })
}

export const resourcesByPath = async () => {
  const page = await muster.resource('job-distributions').list({ status: ['open'], limit: 1 })
  expectEqualTypes<typeof page, Page<AnyRecord>>(true)
  const groups = await muster.resource('leave').count({ by: 'status' })
  expectEqualTypes<typeof groups, Counts<AnyGroup>>(true)
  // @ts-expect-error nothing is known about the field
  page.data[0]?.slug.length
  // @ts-expect-error a parameter is no object
  await muster.resource('leave').list({ status: {} })
  // @ts-expect-error only typed resources have creates
  muster.resource('leave').create
}

export const reports = async () => {
  const report = await muster.reports.leaveDays({ from: '2026-01-01', 'employee.dept_id': [3, 7] })
  expectEqualTypes<typeof report, ReportResult<LeaveDaysReportRow>>(true)
  type Links = { day?: string; out?: string; pending?: string }
  expectEqualTypes<
    ReportRows['leaveDays'],
    { day: string | null; out: number | null; pending: number | null; links: Links }
  >(true)
  expectEqualTypes<(typeof report)['meta']['kind'], 'snapshot' | 'cohort' | 'activity'>(true)
  await muster.reports.leaveDays()
  await muster.reports.leaveDays({ as_of: '2026-03-01', leave_type: 'annual', employee_id: 7, to: undefined })
  await muster.reports.leaveDays({ 'employee.branch': ['Rome', 'Oslo'] }, { signal: AbortSignal.timeout(1_000) })
  // @ts-expect-error reports have camel-case names
  muster.reports['leave-days']
  // @ts-expect-error not a report
  muster.reports.leaveWeeks
  // @ts-expect-error a misspelt parameter
  await muster.reports.leaveDays({ form: '2026-01-01' })
  // @ts-expect-error days are texts
  await muster.reports.leaveDays({ as_of: 2026 })
  // @ts-expect-error ids are numbers
  await muster.reports.leaveDays({ 'employee.dept_id': ['3'] })
  // @ts-expect-error types of leave are texts
  await muster.reports.leaveDays({ leave_type: [1] })
  // @ts-expect-error reports have no pages
  await muster.reports.leaveDays({ limit: 1 })
  // @ts-expect-error the figure may be null
  report.data[0]?.out.toFixed()
  // @ts-expect-error not a column
  report.data[0]?.absent
  // @ts-expect-error not a column
  report.data[0]?.links.absent
  // @ts-expect-error a figure may have no link
  report.data[0]?.links.out.length
}

export const counts = async () => {
  const byStage = await muster.applications.count({ by: 'stage', status: 'active' })
  expectEqualTypes<typeof byStage, Counts<{ stage: string; count: number }>>(true)
  const byTwo = await muster.employees.count({ by: ['dept_id', 'year(date_of_joining)'] })
  expectEqualTypes<
    typeof byTwo,
    Counts<{ dept_id: number | null; 'year(date_of_joining)': string | null; count: number }>
  >(true)
  // @ts-expect-error a count needs a group
  await muster.employees.count({ status: 'active' })
  // @ts-expect-error names are not countable
  await muster.employees.count({ by: 'first_name' })
  // @ts-expect-error quarters are not countable
  await muster.employees.count({ by: 'quarter(date_of_joining)' })
  // @ts-expect-error three groups
  await muster.employees.count({ by: ['status', 'dept_id', 'alumni'] })
  const byRelated = await muster.applications.count({ by: ['candidate.source', 'status'], limit: 10, offset: 1 })
  expectEqualTypes<typeof byRelated, Counts<{ 'candidate.source': string | null; status: string; count: number }>>(true)
  const byDepartment = await muster.leave.count({ by: 'employee.dept_id' })
  expectEqualTypes<typeof byDepartment, Counts<{ 'employee.dept_id': number | null; count: number }>>(true)
  await muster.departments.count({ by: 'name' })
  // @ts-expect-error names of related records are not countable
  await muster.leave.count({ by: 'employee.first_name' })
  // @ts-expect-error related records are not grouped by time
  await muster.leave.count({ by: 'year(employee.date_of_joining)' })
}

export const creates = async () => {
  const body: LeaveCreate = { leave_type: 'annual', employee_id: 7, days: 2.5, reason: null }
  const record = await muster.leave.create(body, { idempotencyKey: 'a', signal: AbortSignal.timeout(1_000) })
  expectEqualTypes<typeof record, LeaveRequest>(true)
  // @ts-expect-error a required property is missing
  await muster.leave.create({ days: 1 })
  // @ts-expect-error a required property is null
  await muster.leave.create({ leave_type: null })
  // @ts-expect-error an unknown property
  await muster.leave.create({ leave_type: 'annual', nickname: 'x' })
  // @ts-expect-error the service assigns ids
  await muster.leave.create({ leave_type: 'annual', id: 1 })
  // @ts-expect-error an integer as text
  await muster.leave.create({ leave_type: 'annual', employee_id: '7' })
}
