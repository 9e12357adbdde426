import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resources } from '@muster/model'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createEmptyDatabase, createTestDatabase } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { muster } from '../../../../tests/support/muster.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

/** The personal data of the person to erase. No other record contains these words. */
const person = {
  first: 'Quirina',
  last: 'Vexelholm',
  email: 'quirina.vexelholm@example.com',
  phone: '+1-555-0142',
  home: 'Zwyndale',
  employer: 'Jubblemark',
  profile: 'https://example.com/in/qvexelholm',
  notes: 'wants a wyvern',
  gender: 'xylographic',
  leaveType: 'quarantine',
  reason: 'yodelling injury',
  rejection: 'too zephyrous',
}

/** A small company: employee 10 was candidate 20, and employee 11 was candidate 21. */
const companySql = `
  insert into candidates (id, first_name, last_name, email, phone, location, current_employer, linkedin_url, notes, headline, status) values
    (20, '${person.first}', '${person.last}', '${person.email}', '${person.phone}', '${person.home}', '${person.employer}', '${person.profile}', '${person.notes}', 'Engineer', 'hired'),
    (21, 'Other', 'Person', 'other@example.com', '+1-555-0100', 'Here', 'There', null, 'kept', 'Engineer', 'hired'),
    (22, null, 'Without an address', null, null, null, null, null, null, null, 'active');
  insert into employees (id, first_name, last_name, email, gender, base_salary, probation_end, termination_date, candidate_id, manager_id, status) values
    (10, '${person.first}', '${person.last}', '${person.email}', '${person.gender}', 98765.25, '2031-03-07', '2032-04-08', 20, null, 'active'),
    (11, 'Other', 'Person', 'other@example.com', 'f', 1, null, null, 21, 10, 'active'),
    (12, '${person.first}', '${person.last}', 'again@example.com', null, null, null, null, 20, null, 'terminated'),
    (13, 'Namesake', 'Perhaps', 'AGAIN@example.com', null, null, null, null, null, null, 'active');
  insert into job_openings (id, title, headcount, filled, status) values (30, 'Engineer', 1, 0, 'open');
  insert into applications (candidate_id, job_id, rating, rejection_reason) values (20, 30, 4.625, '${person.rejection}'), (21, 30, 3, 'kept');
  analyze`

const personalFields = {
  employees: 'first_name last_name email gender base_salary probation_end termination_date',
  candidates: 'first_name last_name email phone location current_employer linkedin_url notes',
}

describe('muster erase', () => {
  let database: TestDatabase
  let service: RunningService
  let ownerClient: pg.Client
  before(async () => {
    database = await createTestDatabase()
    await database.execute(companySql)
    service = await startService(database.url)
    for (const reason of [person.reason, `${person.reason} again`])
      await post(`${service.baseUrl}/v1/leave`, { employee_id: 10, leave_type: person.leaveType, reason })
    await post(`${service.baseUrl}/v1/leave`, { employee_id: 11, leave_type: 'sick', reason: 'kept' })
    ownerClient = new pg.Client({ connectionString: database.url })
    await ownerClient.connect()
  })
  after(async () => {
    await ownerClient.end()
    await service.stop()
    await database.drop()
  })

  const runErase = (...args: string[]) => muster(['erase', ...args], database.env)
  const read = (path: string, headers: Record<string, string> = {}) =>
    sendRequest(`${service.baseUrl}/v1/${path}`, { headers })

  /** Searches and filters that find the person before the erasure. */
  const searches = [
    ...Object.values(person).flatMap((value) =>
      ['employees', 'candidates', 'leave', 'applications'].map((path) => `${path}?q=${encodeURIComponent(value)}`),
    ),
    ...['employees', 'candidates'].map((path) => `${path}?email=${person.email}&status=active,hired`),
    `leave?leave_type=${person.leaveType}`,
  ]
  const findMatchingSearches = async () => {
    const matchingSearches: string[] = []
    for (const search of searches) if ((await read(search)).json.meta.total > 0) matchingSearches.push(search)
    return matchingSearches
  }
  /** Lists the responses, tables and planner statistics that still contain any of the person's data. */
  const findRemainingData = async () => {
    const texts: [location: string, text: string][] = []
    for (const { path, table } of resources) {
      texts.push([`response of ${path}`, (await read(`${path}?limit=200`)).text])
      const { rows } = await ownerClient.query(`select string_agg(t::text, ' ') as text from ${table} t`)
      texts.push([`table ${table}`, rows[0].text ?? ''])
    }
    const { rows: statistics } = await ownerClient.query(
      `select concat('statistics of ', tablename, '.', attname) as location, concat(most_common_vals, histogram_bounds, most_common_elems) as text
       from pg_stats where schemaname = 'public'`,
    )
    for (const { location, text } of statistics) texts.push([location, text])
    const personalValues = [...Object.values(person), '98765.25', '2031-03-07', '2032-04-08', '4.625']
    // Not inside a longer number: a time such as 10:00:34.625 contains 4.625.
    const patterns = personalValues.map((value) => new RegExp(`(?<!\\d)${RegExp.escape(value)}(?!\\d)`))
    return texts.filter(([, text]) => patterns.some((pattern) => pattern.test(text))).map(([location]) => location)
  }

  it('with --dry-run lists what it would clear, and changes nothing', async () => {
    const firstResponse = await read('employees/10')
    const { code, out, err } = await runErase('employee', '10', '--dry-run')
    assert.deepEqual([code, err], [0, ''])
    assert.equal(
      out,
      [
        `employees     2 records     ${personalFields.employees.replaceAll(' ', ', ')}`,
        'leave         2 records     leave_type, reason',
        'candidates    1 record      first_name, last_name, email, phone, location, current_employer, linkedin_url, notes',
        'applications  1 record      rating, rejection_reason',
        '6 records of employee 10 would be emptied. Nothing was changed.',
        'The same e-mail address belongs to employee 13: erase that record too if it is the same person.',
        '',
      ].join('\n'),
    )
    const unmodifiedResponse = await read('employees/10', { 'if-none-match': firstResponse.headers.get('etag') ?? '' })
    assert.equal(unmodifiedResponse.status, 304)
    assert.ok((await findMatchingSearches()).length > 12)
    assert.ok((await findRemainingData()).includes('statistics of employees.last_name'))
    assert.deepEqual((await ownerClient.query(`select from muster_audit_log where outcome = 'erased'`)).rowCount, 0)
  })

  it('removes the person from responses, searches, tables and statistics while the service runs', async () => {
    const paths = [
      'employees/10',
      'employees/12',
      'candidates/20',
      'leave?employee_id=10',
      'applications?candidate_id=20',
    ]
    const responsesBefore = await Promise.all(paths.map((path) => read(path)))
    const totals = await Promise.all(resources.map(async ({ path }) => (await read(path)).json.meta.total))
    const otherRecords = await Promise.all(
      ['employees/11', 'candidates/21', 'leave?employee_id=11'].map((path) => read(path)),
    )
    const { code, out } = await runErase('candidate', '20')
    assert.deepEqual([code, out.includes('6 records of candidate 20 emptied.')], [0, true])
    // The ETags from before the erasure no longer match.
    for (const [index, path] of paths.entries())
      assert.equal(
        (await read(path, { 'if-none-match': responsesBefore[index]?.headers.get('etag') ?? '' })).status,
        200,
        path,
      )
    assert.deepEqual(await findMatchingSearches(), [])
    assert.deepEqual(await findRemainingData(), [])
    for (const [kind, id] of [
      ['employees', 10],
      ['employees', 12],
      ['candidates', 20],
    ] as const) {
      const { json } = await read(`${kind}/${id}`)
      for (const name of personalFields[kind].split(' ')) assert.equal(json[name], null, `${kind} ${id} ${name}`)
    }
    for (const record of (await read('leave?employee_id=10')).json.data)
      assert.deepEqual([record.leave_type, record.reason], ['withheld', null])
    assert.deepEqual(await Promise.all(resources.map(async ({ path }) => (await read(path)).json.meta.total)), totals)
    const otherRecordsAfter = await Promise.all(
      ['employees/11', 'candidates/21', 'leave?employee_id=11'].map((path) => read(path)),
    )
    assert.deepEqual(
      otherRecordsAfter.map(({ text }) => text),
      otherRecords.map(({ text }) => text),
    )
  })

  it('adds an entry for each record to the audit log, without the erased values', async () => {
    const { rows } = await ownerClient.query(
      `select route, record_id::int, request_id, token from muster_audit_log where outcome = 'erased' order by route, record_id`,
    )
    assert.deepEqual(
      rows.map(({ route, record_id, request_id, token }) => [route, record_id, request_id, token]),
      [
        ['erase applications', 1, null, null],
        ['erase candidates', 20, null, null],
        ['erase employees', 10, null, null],
        ['erase employees', 12, null, null],
        ['erase leave', 1, null, null],
        ['erase leave', 2, null, null],
      ],
    )
  })

  it('changes nothing when it is repeated, whichever record of the person is named', async () => {
    const { rows: before } = await ownerClient.query('select sum(changes) from muster_table_versions')
    for (const [kind, id] of [
      ['employee', '10'],
      ['employee', '12'],
      ['candidate', '20'],
    ] as const) {
      const { code, out } = await runErase(kind, id)
      assert.deepEqual([code, out], [0, `No personal data of ${kind} ${id} is left.\n`])
    }
    assert.deepEqual((await ownerClient.query('select sum(changes) from muster_table_versions')).rows, before)
    assert.match((await muster(['doctor', '--repair'], database.env)).out, /The row counts were correct\. .*\n$/)
  })

  it('also clears a record that is inserted concurrently', async () => {
    const insertingClient = new pg.Client({ connectionString: database.url })
    await insertingClient.connect()
    await insertingClient.query('begin')
    await insertingClient.query(
      `insert into leave_requests (employee_id, leave_type, reason) values (13, '${person.leaveType}', '${person.reason}')`,
    )
    const pendingErase = runErase('employee', '13')
    const waitingSessionsSql = `select from pg_stat_activity where application_name = 'muster-erase' and wait_event_type = 'Lock' and datname = current_database()`
    const deadline = Date.now() + 10_000
    while ((await ownerClient.query(waitingSessionsSql)).rowCount === 0)
      assert.ok(Date.now() < deadline, 'it never waited')
    await insertingClient.query('commit')
    await insertingClient.end()
    assert.match((await pendingErase).out, /^leave +1 record /m)
    assert.deepEqual(await findMatchingSearches(), [])
  })

  const mistakes: [args: string[], code: number, sentence: RegExp][] = [
    [['employee', '4711'], 1, /^There is no employee 4711\.\n$/],
    [['candidate', '10'], 1, /^There is no candidate 10\.\n$/],
    [[], 2, /^Name the person to erase: muster erase employee ID, or muster erase candidate ID\.\n/],
    [['employees', '10'], 2, /^Name the person to erase/],
    [['employee'], 2, /^The id must be a whole number\.\n/],
    [['employee', 'ten'], 2, /^The id must be a whole number, not "ten"\.\n/],
    [['employee', '9007199254740993'], 1, /^There is no employee 9007199254740993\.\n/],
    [['employee', '9223372036854775808'], 1, /^There is no employee 9223372036854775808\.\n/],
    [['employee', '0'], 2, /^The id must be a whole number, not "0"\.\n/],
  ]
  for (const [args, expectedCode, sentence] of mistakes) {
    it(`reports the mistake in muster erase ${args.join(' ')}`, async () => {
      const { code, out, err } = await runErase(...args)
      assert.deepEqual([code, out], [expectedCode, ''])
      assert.match(err, sentence)
    })
  }

  it('requires the role that owns the tables, and the tables of this release', async () => {
    const writerResult = await muster(['erase', 'employee', '10'], { DATABASE_URL: database.env.DATABASE_URL })
    assert.equal(writerResult.code, 1)
    assert.match(writerResult.err, /lacks a permission .+ DATABASE_MIGRATE_URL/)
    const emptyDatabase = await createEmptyDatabase()
    const { code, err } = await muster(['erase', 'employee', '10'], { DATABASE_URL: emptyDatabase.url })
    await emptyDatabase.drop()
    assert.deepEqual(
      [code, err],
      [1, 'The database does not have the tables of this release: run npx muster migrate first.\n'],
    )
  })
})
