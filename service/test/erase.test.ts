/** A person who asks to be forgotten is: in every table, in search, in running services, and in what the database remembers. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resources } from '@muster/model'
import pg from 'pg'
import type { TestDatabase } from './support/database.ts'
import { createEmptyDatabase, createTestDatabase } from './support/database.ts'
import { ask, post } from './support/http.ts'
import { muster } from './support/muster.ts'
import type { RunningService } from './support/service.ts'
import { startService } from './support/service.ts'

/** Every personal value of the person, in words that nobody else has. */
const words = {
  first: 'Quirina',
  last: 'Vexelholm',
  email: 'quirina.vexelholm@example.com',
  phone: '+1-555-0142',
  home: 'Zwyndale',
  employer: 'Jubblemark',
  profile: 'https://example.com/in/qvexelholm',
  notes: 'wants a wyvern',
  gender: 'xylographic',
  reason: 'yodelling injury',
  rejection: 'too zephyrous',
}

/** A company of two people: employee 10 was candidate 20, and employee 11 was candidate 21. */
const company = `
  insert into candidates (id, first_name, last_name, email, phone, location, current_employer, linkedin_url, notes, headline, status) values
    (20, '${words.first}', '${words.last}', '${words.email}', '${words.phone}', '${words.home}', '${words.employer}', '${words.profile}', '${words.notes}', 'Engineer', 'hired'),
    (21, 'Other', 'Person', 'other@example.com', '+1-555-0100', 'Here', 'There', null, 'kept', 'Engineer', 'hired'),
    (22, null, 'Without an address', null, null, null, null, null, null, null, 'active');
  insert into employees (id, first_name, last_name, email, gender, base_salary, probation_end, termination_date, candidate_id, manager_id, status) values
    (10, '${words.first}', '${words.last}', '${words.email}', '${words.gender}', 98765.25, '2031-03-07', '2032-04-08', 20, null, 'active'),
    (11, 'Other', 'Person', 'other@example.com', 'f', 1, null, null, 21, 10, 'active'),
    (12, '${words.first}', '${words.last}', 'again@example.com', null, null, null, null, 20, null, 'terminated'),
    (13, 'Namesake', 'Perhaps', 'AGAIN@example.com', null, null, null, null, null, null, 'active');
  insert into job_openings (id, title, headcount, filled, status) values (30, 'Engineer', 1, 0, 'open');
  insert into applications (candidate_id, job_id, rating, rejection_reason) values (20, 30, 4.625, '${words.rejection}'), (21, 30, 3, 'kept');
  analyze`

const personalFields = {
  employees: 'first_name last_name email gender base_salary probation_end termination_date',
  candidates: 'first_name last_name email phone location current_employer linkedin_url notes',
}

describe('muster erase', () => {
  let database: TestDatabase
  let service: RunningService
  let owner: pg.Client
  before(async () => {
    database = await createTestDatabase()
    await database.execute(company)
    service = await startService(database.url)
    for (const reason of [words.reason, `${words.reason} again`])
      await post(`${service.base}/v1/leave`, { employee_id: 10, leave_type: 'sick', reason })
    await post(`${service.base}/v1/leave`, { employee_id: 11, leave_type: 'sick', reason: 'kept' })
    owner = new pg.Client({ connectionString: database.url })
    await owner.connect()
  })
  after(async () => {
    await owner.end()
    await service.stop()
    await database.drop()
  })

  const erase = (...args: string[]) => muster(['erase', ...args], database.env)
  const read = (path: string, headers: Record<string, string> = {}) => ask(`${service.base}/v1/${path}`, { headers })

  /** Everything that can be asked about the person, and the total or status it is answered with. */
  const questions = [
    ...Object.values(words).flatMap((word) =>
      ['employees', 'candidates', 'leave', 'applications'].map((path) => `${path}?q=${encodeURIComponent(word)}`),
    ),
    ...['employees', 'candidates'].map((path) => `${path}?email=${words.email}&status=active,hired`),
  ]
  const findings = async () => {
    const found: string[] = []
    for (const question of questions) if ((await read(question)).json.meta.total > 0) found.push(question)
    return found
  }
  /** Where in the answers, the tables and the planner's statistics a word of the person stands. */
  const traces = async () => {
    const texts: [place: string, text: string][] = []
    for (const { path, table } of resources) {
      texts.push([`answer of ${path}`, (await read(`${path}?limit=200`)).text])
      const { rows } = await owner.query(`select string_agg(t::text, ' ') as text from ${table} t`)
      texts.push([`table ${table}`, rows[0].text ?? ''])
    }
    const { rows } = await owner.query(
      `select string_agg(concat(most_common_vals, histogram_bounds, most_common_elems), ' ') as text from pg_stats where schemaname = 'public'`,
    )
    texts.push(['statistics', rows[0].text ?? ''])
    const known = [...Object.values(words), '98765.25', '2031-03-07', '2032-04-08', '4.625']
    return texts.filter(([, text]) => known.some((word) => text.includes(word))).map(([place]) => place)
  }

  it('says what it would empty, and changes nothing, with --dry-run', async () => {
    const first = await read('employees/10')
    const { code, out, err } = await erase('employee', '10', '--dry-run')
    assert.deepEqual([code, err], [0, ''])
    assert.equal(
      out,
      [
        `employees     2 records     ${personalFields.employees.replaceAll(' ', ', ')}`,
        'leave         2 records     reason',
        'candidates    1 record      first_name, last_name, email, phone, location, current_employer, linkedin_url, notes',
        'applications  1 record      rating, rejection_reason',
        '6 records of employee 10 would be emptied. Nothing was changed.',
        'The same e-mail address stands with employee 13: erase that too, if it is the same person.',
        '',
      ].join('\n'),
    )
    const again = await read('employees/10', { 'if-none-match': first.headers.get('etag') ?? '' })
    assert.equal(again.status, 304)
    assert.ok((await findings()).length > 12)
    assert.ok((await traces()).includes('statistics'))
    assert.deepEqual((await owner.query(`select from muster_writes where outcome = 'erased'`)).rowCount, 0)
  })

  it('leaves nothing of the person in answers, search, tables and statistics, while the service runs', async () => {
    const paths = [
      'employees/10',
      'employees/12',
      'candidates/20',
      'leave?employee_id=10',
      'applications?candidate_id=20',
    ]
    const before = await Promise.all(paths.map((path) => read(path)))
    const totals = await Promise.all(resources.map(async ({ path }) => (await read(path)).json.meta.total))
    const others = await Promise.all(
      ['employees/11', 'candidates/21', 'leave?employee_id=11'].map((path) => read(path)),
    )
    const { code, out } = await erase('candidate', '20')
    assert.deepEqual([code, out.includes('6 records of candidate 20 emptied.')], [0, true])
    // Asked with the tags of before: what is held from then is not confirmed.
    for (const [index, path] of paths.entries())
      assert.equal((await read(path, { 'if-none-match': before[index]?.headers.get('etag') ?? '' })).status, 200, path)
    assert.deepEqual(await findings(), [])
    assert.deepEqual(await traces(), [])
    for (const [kind, id] of [
      ['employees', 10],
      ['employees', 12],
      ['candidates', 20],
    ] as const) {
      const { json } = await read(`${kind}/${id}`)
      for (const name of personalFields[kind].split(' ')) assert.equal(json[name], null, `${kind} ${id} ${name}`)
    }
    assert.deepEqual(await Promise.all(resources.map(async ({ path }) => (await read(path)).json.meta.total)), totals)
    const kept = await Promise.all(['employees/11', 'candidates/21', 'leave?employee_id=11'].map((path) => read(path)))
    assert.deepEqual(
      kept.map(({ text }) => text),
      others.map(({ text }) => text),
    )
  })

  it('notes each record in the log of writes, without a word of it', async () => {
    const { rows } = await owner.query(
      `select route, record_id::int, request_id, token from muster_writes where outcome = 'erased' order by route, record_id`,
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

  it('finds nothing more to do when it is repeated, whichever of the records is named', async () => {
    const { rows: before } = await owner.query('select sum(changes) from muster_ledger')
    for (const [kind, id] of [
      ['employee', '10'],
      ['employee', '12'],
      ['candidate', '20'],
    ] as const) {
      const { code, out } = await erase(kind, id)
      assert.deepEqual([code, out], [0, `Nothing personal is left of ${kind} ${id}.\n`])
    }
    assert.deepEqual((await owner.query('select sum(changes) from muster_ledger')).rows, before)
    assert.match((await muster(['doctor', '--repair'], database.env)).out, /The row counts were right\. .*\n$/)
  })

  it('reaches a record that is being added while it works', async () => {
    const adder = new pg.Client({ connectionString: database.url })
    await adder.connect()
    await adder.query('begin')
    await adder.query(
      `insert into leave_requests (employee_id, leave_type, reason) values (13, 'sick', '${words.reason}')`,
    )
    const erasing = erase('employee', '13')
    const waiting = `select from pg_stat_activity where application_name = 'muster-erase' and wait_event_type = 'Lock' and datname = current_database()`
    const deadline = Date.now() + 10_000
    while ((await owner.query(waiting)).rowCount === 0) assert.ok(Date.now() < deadline, 'it never waited')
    await adder.query('commit')
    await adder.end()
    assert.match((await erasing).out, /^leave +1 record /m)
    assert.deepEqual(await findings(), [])
  })

  const mistakes: [args: string[], code: number, sentence: RegExp][] = [
    [['employee', '4711'], 1, /^There is no employee 4711\.\n$/],
    [['candidate', '10'], 1, /^There is no candidate 10\.\n$/],
    [[], 2, /^Say whom to erase: muster erase employee ID, or muster erase candidate ID\.\n/],
    [['employees', '10'], 2, /^Say whom to erase/],
    [['employee'], 2, /^The id should be a whole number\.\n/],
    [['employee', 'ten'], 2, /^The id should be a whole number, and is "ten"\.\n/],
    [['employee', '0'], 2, /^The id should be a whole number, and is "0"\.\n/],
  ]
  for (const [args, expected, sentence] of mistakes) {
    it(`says so where the command is muster erase ${args.join(' ')}`, async () => {
      const { code, out, err } = await erase(...args)
      assert.deepEqual([code, out], [expected, ''])
      assert.match(err, sentence)
    })
  }

  it('wants the owner, and the tables of this release', async () => {
    const writer = await muster(['erase', 'employee', '10'], { DATABASE_URL: database.env.DATABASE_URL })
    assert.equal(writer.code, 1)
    assert.match(writer.err, /lacks a permission .+ DATABASE_MIGRATE_URL/)
    const empty = await createEmptyDatabase()
    const { code, err } = await muster(['erase', 'employee', '10'], { DATABASE_URL: empty.url })
    await empty.drop()
    assert.deepEqual(
      [code, err],
      [1, 'The database does not have the tables of this release: run npx muster migrate first.\n'],
    )
  })
})
