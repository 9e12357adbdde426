import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { HealthRule, HealthRuleName } from '@muster/model'
import { healthRules, resourceAt } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase, createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { proveReport } from './proof.ts'

/** The rules about stages are counted by the test itself. */
type CountedRule = 'unparseable_stages' | 'application_stage_not_in_job'

/** The number of records that break each other rule, in plain SQL. */
const references: Readonly<Record<Exclude<HealthRuleName, CountedRule>, string>> = {
  manager_cycle: `with recursive above as (
      select id, manager_id as manager from employees
      union select above.id, m.manager_id from above join employees m on m.id = above.manager
    ) select count(distinct id) from above where manager = id`,
  manager_left: `select count(*) from employees e
    where lower(status) <> 'terminated'
      and (select lower(status) from employees m where m.id = e.manager_id) = 'terminated'`,
  terminated_without_date: `select count(*) from employees where lower(status) = 'terminated' and termination_date is null`,
  left_before_joining: 'select count(*) from employees where termination_date - date_of_joining < 0',
  duplicate_employee_code: `select count(*) from employees e where trim(code) <> ''
    and exists (select from employees o where o.id <> e.id and lower(o.code) = lower(e.code))`,
  leave_without_employee: 'select count(*) from leave_requests where employee_id is null',
  overlapping_leave: `select count(*) from leave_requests l where lower(status) = 'approved' and exists (
      select from leave_requests o where lower(o.status) = 'approved' and o.employee_id = l.employee_id and o.id <> l.id
        and o.from_date <= l.to_date and o.to_date >= l.from_date)`,
  leave_before_joining: `select count(*) from leave_requests l where lower(status) = 'approved'
    and from_date < (select date_of_joining from employees e where e.id = l.employee_id)`,
  leave_after_leaving: `select count(*) from leave_requests l where lower(status) = 'approved'
    and to_date > (select termination_date from employees e where e.id = l.employee_id)`,
  attendance_without_employee: 'select count(*) from attendance where employee_id is null',
  attendance_before_joining: `select count(*) from attendance a
    where att_date < (select date_of_joining from employees e where e.id = a.employee_id)`,
  attendance_after_leaving: `select count(*) from attendance a
    where att_date > (select termination_date from employees e where e.id = a.employee_id)`,
  duplicate_attendance: `select count(*) from attendance a where exists (
      select from attendance o where o.employee_id = a.employee_id and o.att_date = a.att_date and o.id <> a.id)`,
  filled_over_headcount: 'select count(*) from job_openings where headcount - filled < 0',
  hired_without_filled_place: `select count(*) from job_openings j
    where filled < (select count(*) from applications a where a.job_id = j.id and lower(a.status) = 'hired')`,
  reversed_pay_range: 'select count(*) from job_openings where comp_max - comp_min < 0',
  duplicate_candidate_email: `select count(*) from candidates c where trim(email) <> ''
    and exists (select from candidates o where o.id <> c.id and lower(o.email) = lower(c.email))`,
  active_application_on_closed_job: `select count(*) from applications a where lower(status) = 'active'
    and (select lower(status) from job_openings j where j.id = a.job_id) in ('closed', 'archived')`,
  hired_in_other_stage: `select count(*) from applications where lower(status) = 'hired' and lower(stage) <> 'hired'`,
  stage_before_application: 'select count(*) from applications where stage_entered_on - applied_on < 0',
  duplicate_application: `select count(*) from applications a where lower(status) = 'active' and exists (
      select from applications o where lower(o.status) = 'active' and o.id <> a.id
        and o.candidate_id = a.candidate_id and o.job_id = a.job_id)`,
  team_cycle: `with recursive above as (
      select id, parent_id as parent from organization_teams
      union select above.id, t.parent_id from above join organization_teams t on t.id = above.parent
    ) select count(distinct id) from above where parent = id`,
  published_distribution_of_closed_job: `select count(*) from job_distributions d where lower(status) = 'published'
    and (select lower(status) from job_openings j where j.id = d.job_posting_id) in ('closed', 'archived')`,
}

/** The suggested stages. */
const applicationStages = resourceAt('applications').allFields.find(({ name }) => name === 'stage')?.values ?? []

/** The stages of an opening in lower case. Undefined if the text cannot be read. */
const stagesOf = (text: string): readonly string[] | undefined => {
  if (text.trim() === '') return []
  try {
    const document: unknown = JSON.parse(text)
    if (document === null) return []
    if (!Array.isArray(document)) return undefined
    const names = document.map((element) => (typeof element === 'string' ? element : element?.name))
    return names.every((name) => typeof name === 'string') ? names.map((name) => name.toLowerCase()) : undefined
  } catch {
    return undefined
  }
}

const isStageOf = (stage: string, stagesJson: string): boolean => {
  const stages = (stagesOf(stagesJson) ?? []).filter((name) => name !== 'sourced')
  return ['sourced', ...(stages.length === 0 ? applicationStages : stages)].includes(stage)
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The expected row of a rule. `broken` is undefined if the rule is not checked. */
const rowReference = ({ name, severity, about, resource }: HealthRule, broken: string | undefined): string => {
  const [checked, figure] =
    broken === undefined ? ['null', 'null'] : [`(select count(*) from ${resourceAt(resource).table})`, `(${broken})`]
  const texts = Object.entries({ rule: name, severity, about, resource })
  return `select ${texts.map(([column, text]) => `${quoted(text)} as ${column}`).join(', ')},
    ${checked}::bigint as checked, ${figure}::bigint as broken`
}

describe('the report data-health', () => {
  let counted: Readonly<Record<CountedRule, number>>
  let requests = 0
  proveReport({
    report: 'data-health',
    linkedColumns: ['checked', 'broken'],
    // All rules in turn, and the list of rules.
    randomQuery: async (_, run) => {
      const stagesJson = await run(`select coalesce(stages_json, '') from job_openings`)
      const applications = await run(
        `select json_build_array(lower(a.stage), coalesce(j.stages_json, ''))::text
         from applications a join job_openings j on j.id = a.job_id`,
      )
      counted = {
        unparseable_stages: stagesJson.filter((text) => stagesOf(text) === undefined).length,
        application_stage_not_in_job: applications.filter((pair) => !isStageOf(...readPair(pair))).length,
      }
      const rule = healthRules[requests % (healthRules.length + 1)]?.name
      requests += 1
      return { as_of: '2026-03-01', rule }
    },
    reference: ({ rule }) => {
      const declared = healthRules.find(({ name }) => name === rule)
      if (declared === undefined)
        return { text: healthRules.map((each) => rowReference(each, undefined)).join(' union all ') }
      const { name } = declared
      return {
        text: rowReference(
          declared,
          name in counted ? `select ${counted[name as CountedRule]}` : references[name as keyof typeof references],
        ),
      }
    },
  })
})

const readPair = (text: string): [stage: string, stagesJson: string] => JSON.parse(text)

const withToken = { headers: { authorization: `Bearer ${token}` } }

describe('data health without a token, where personal fields are redacted', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url, { reads: 'redacted' })
  })
  after(async () => {
    await service?.stop()
    await database?.drop()
  })

  /** The rules that read names, e-mail addresses or termination dates, written by hand. */
  const personalRules = [
    'terminated_without_date',
    'left_before_joining',
    'leave_after_leaving',
    'attendance_after_leaving',
    'duplicate_candidate_email',
  ]

  for (const { name, resource } of healthRules) {
    const isPersonal = personalRules.includes(name)
    it(`${isPersonal ? 'rejects' : 'accepts'} the rule ${name} in the report, in lists, counts and exports`, async () => {
      const urls: [url: string, parameter: string][] = [
        [`reports/data-health?rule=${name}`, 'rule'],
        [`${resource}?health=${name}`, 'health'],
        [`${resource}?format=csv&health=${name}`, 'health'],
        [`counts/${resource}?by=${countedField(resource)}&health=${name}`, 'health'],
      ]
      for (const [path, parameter] of urls) {
        const url = `${service.baseUrl}/v1/${path}`
        const { status, text, json } = await sendRequestWithJson(url)
        assert.equal(status, isPersonal ? 422 : 200, `${url} ${text}`)
        if (isPersonal)
          assert.deepEqual(
            json?.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, loc]),
            [['field_redacted', ['query', parameter]]],
          )
        assert.equal((await sendRequest(url, withToken)).status, 200, url)
      }
    })
  }

  it('lists all rules, with null figures and without links', async () => {
    const { status, json } = await sendRequest(`${service.baseUrl}/v1/reports/data-health`)
    assert.equal(status, 200)
    assert.deepEqual(
      json.data.map(({ rule, checked, broken, links }: Record<string, unknown>) => [rule, checked, broken, links]),
      healthRules.map(({ name }) => [name, null, null, {}]),
    )
  })
})

const countedField = (path: string): string =>
  resourceAt(path).filterableFields.find(({ kind, personal }) => kind === 'text' && !personal)?.name ?? ''

const sendRequestWithJson = async (url: string) => {
  const response = await sendRequest(url)
  const { status, text, headers } = response
  return { status, text, json: headers.get('content-type')?.startsWith('application/json') ? response.json : undefined }
}

describe('data health of a company without records', () => {
  it('holds for every rule', async () => {
    const database = await createTestDatabase()
    const service = await startService(database.url)
    try {
      for (const { name } of healthRules) {
        const { status, json } = await sendRequest(`${service.baseUrl}/v1/reports/data-health?rule=${name}`)
        assert.deepEqual([status, json.data[0].checked, json.data[0].broken], [200, 0, 0], name)
      }
      const { status, json } = await sendRequest(`${service.baseUrl}/v1/reports/data-health?rule=manager_cycles`)
      assert.deepEqual([status, json.detail[0].type], [422, 'literal_error'])
    } finally {
      await service.stop()
      await database.drop()
    }
  })
})

describe('overlapping leave', () => {
  it('is leave that shares a day with other leave, not leave that begins on the next day', async () => {
    const database = await createTestDatabase()
    const service = await startService(database.url)
    try {
      await database.execute(
        `insert into employees (first_name, status, alumni) values ('Ada', 'active', 0), ('Bo', 'active', 0);
         insert into leave_requests (employee_id, leave_type, status, from_date, to_date) values
           (1, 'annual', 'approved', '2026-03-02', '2026-03-04'), (1, 'annual', 'approved', '2026-03-04', '2026-03-05'),
           (2, 'annual', 'approved', '2026-03-02', '2026-03-04'), (2, 'annual', 'approved', '2026-03-05', '2026-03-06')`,
      )
      const { json } = await sendRequest(`${service.baseUrl}/v1/leave?health=overlapping_leave`)
      assert.deepEqual(
        json.data.map(({ id }: { id: number }) => id),
        [1, 2],
      )
    } finally {
      await service.stop()
      await database.drop()
    }
  })
})
