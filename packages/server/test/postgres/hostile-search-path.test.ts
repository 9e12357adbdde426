/**
 * A role that may insert rows cannot run code with the owner's rights: operators and functions in its own schema are not
 * used by the triggers, which run as the owner, even if its search_path prefers them.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { insertBaseRows } from '../../../../tests/support/base-rows.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { withClient } from '../../../../tests/support/postgres-cluster.ts'

const role = `hostile_${randomBytes(6).toString('hex')}`

/** Each operator calls a function that raises an error if it runs as another role, and otherwise returns the correct result. */
const operators: readonly [name: string, left: string, right: string, result: string][] = [
  ...['bigint', 'integer'].flatMap((left) =>
    ['bigint', 'integer'].flatMap((right) => [
      ...['=', '<>', '>', '<', '>=', '<='].map((name): [string, string, string, string] => [
        name,
        left,
        right,
        'boolean',
      ]),
      ...['+', '-', '*', '/'].map((name): [string, string, string, string] => [name, left, right, 'bigint']),
    ]),
  ),
  ['>>', 'bigint', 'integer', 'bigint'],
  ['=', 'text', 'text', 'boolean'],
  ['||', 'text', 'text', 'text'],
]

const functions: readonly [call: string, parameters: string, result: string][] = [
  ['pg_backend_pid()', '', 'integer'],
  ['int8range($1, $2, $3)', 'bigint, bigint, text', 'int8range'],
  ['int8multirange($1)', 'int8range', 'int8multirange'],
  ['set_config($1, $2, $3)', 'text, text, boolean', 'text'],
  ['current_setting($1)', 'text', 'text'],
  ['lower($1)', 'text', 'text'],
  ['octet_length($1)', 'text', 'integer'],
  ['char_length($1)', 'text', 'integer'],
  ['left($1, $2)', 'text, integer', 'text'],
  ['encode($1, $2)', 'bytea, text', 'text'],
  ['sha256($1)', 'bytea', 'bytea'],
  ['convert_to($1, $2)', 'text, name', 'bytea'],
]

/** Aggregates over bigint, and the operator by which each step combines two values. */
const aggregates: readonly [name: string, operator: string][] = [
  ['min', '<'],
  ['max', '>'],
]

const bodyOf = (expression: string): string => `
  language plpgsql as $$ begin
    if current_user operator(pg_catalog.<>) '${role}' then raise exception 'ran as %', current_user; end if;
    return ${expression};
  end $$`

const hostileObjects = [
  ...operators.map(
    ([name, left, right, result], index) => `
      create function hostile.operator_${index}(${left}, ${right}) returns ${result} ${bodyOf(`$1 operator(pg_catalog.${name}) $2`)};
      create operator hostile.${name} (leftarg = ${left}, rightarg = ${right}, function = hostile.operator_${index})`,
  ),
  ...functions.map(
    ([call, parameters, result]) =>
      `create function hostile."${call.slice(0, call.indexOf('('))}"(${parameters}) returns ${result}
       ${bodyOf(`pg_catalog.${call.replace('left(', '"left"(')}`)}`,
  ),
  ...aggregates.map(
    ([name, operator]) => `
      create function hostile.${name}_step(bigint, bigint) returns bigint
      ${bodyOf(`case when $1 operator(pg_catalog.${operator}) $2 then $1 else $2 end`)};
      create aggregate hostile.${name}(bigint) (sfunc = hostile.${name}_step, stype = bigint)`,
  ),
  `create function hostile.count_step(bigint) returns bigint ${bodyOf('$1 operator(pg_catalog.+) 1')};
   create aggregate hostile.count(*) (sfunc = hostile.count_step, stype = bigint, initcond = '0')`,
].join(';')

describe('a role with its own operators and functions', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
    await withClient(database.url, insertBaseRows)
    await database.execute(
      `create role ${role}; grant ${role} to ${new URL(database.url).username}; create schema hostile authorization ${role};
       grant usage on schema public to ${role}; grant select, insert on leave_requests, departments to ${role}; set role ${role}; ${hostileObjects}; reset role`,
    )
  })
  after(async () => {
    await database.execute(`drop owned by ${role}; drop role ${role}`)
    await database.drop()
  })

  const inserts: readonly [title: string, sql: string, rows: number][] = [
    ['one row', `insert into leave_requests (employee_id, leave_type, status) values (1, 'annual', 'Pending')`, 1],
    [
      'one row with a long state that is not ASCII',
      `insert into leave_requests (employee_id, leave_type, status) values (1, 'annual', repeat('É', 200))`,
      1,
    ],
    [
      'consecutive rows',
      `insert into leave_requests (employee_id, leave_type, status) select 1, 'annual', 'open' from generate_series(1, 20)`,
      20,
    ],
    [
      'scattered rows',
      `insert into departments (id, name) select 1000 + 3 * n, 'd' || n from generate_series(1, 20) n`,
      20,
    ],
  ]
  for (const [title, sql, rows] of inserts)
    it(`inserts ${title} without running them as the owner`, async () => {
      const table = sql.split(' ')[2]
      const states = table === 'departments' ? [] : ['status']
      const readRowCount = () =>
        database.query<{ rows: number }>('select sum(rows) as rows from muster_table_versions where table_name = $1', [
          table,
        ])
      const [before] = await readRowCount()
      const path = 'hostile, pg_catalog, public'
      await withClient(database.url, async (client) => {
        await client.query(`set role ${role}; set search_path = ${path}`)
        await client.query('begin')
        await client.query(sql)
        const { rows: settings } = await client.query('show search_path')
        assert.equal(settings[0].search_path, path)
        await client.query('commit')
      })
      const [after] = await readRowCount()
      assert.equal(Number(after?.rows) - Number(before?.rows), rows)
      const [counts] = await database.query('select muster_rebuild_counts($1, $2)::int as off_by', [table, states])
      assert.deepEqual(counts, { off_by: 0 })
    })
})
