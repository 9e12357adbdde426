/** In charge of showing by which index every filter and every order of every list is read, and of failing where one has none. */
import type { ListFilter, NamedField, Resource } from '@muster/model'
import { resources } from '@muster/model'
import { Client } from 'pg'
import type { Statement } from '../service/src/database/statement.ts'
import { quoted } from '../service/src/database/statement.ts'
import { readFilter } from '../service/src/http/filter-value.ts'
import type { Filter } from '../service/src/operations/conditions.ts'
import type { ListQuery } from '../service/src/operations/list.ts'
import { leapStatement, orderedStatement } from '../service/src/operations/list.ts'
import { completeOrder } from '../service/src/operations/order.ts'
import { findStatement } from '../service/src/operations/selections.ts'
import { tablesRead } from './table-reads.ts'

/** Whether one of these is null is found by reading the table: an index on each would cost every write, for a rare question. */
const withoutIndex: Readonly<Record<string, readonly string[]>> = {
  employees: ['gender'],
  leave: ['reason'],
  jobs: ['remote_policy', 'description', 'requirements', 'stages_json'],
  candidates: ['phone', 'headline', 'linkedin_url', 'notes'],
  applications: ['rejection_reason'],
  organizations: ['settings_json'],
  brands: ['logo_url', 'favicon_url', 'primary_color', 'accent_color', 'custom_domain', 'settings_json'],
  'career-sites': ['headline', 'introduction', 'logo_url', 'privacy_policy_url', 'custom_domain'],
  'organization-teams': ['settings_json'],
}

/** Half of the table or more has the value that is asked for, so that reading all of it is the shortest way. */
const frequentValues: readonly string[] = []

/** A table this small is read whole whatever indexes it has: there the question is whether an index could be used. */
const smallRows = 20_000

interface Plan {
  readonly what: string
  readonly ms: number
  readonly indexes: readonly string[]
  readonly readsTable: boolean
}

const plain: ListQuery = { limit: 50, offset: 0n, terms: [], filters: [], sort: [] }

const explained = async (client: Client, resource: Resource, what: string, statement: Statement): Promise<Plan> => {
  const { rows } = await client.query({
    text: `explain (analyze, timing off, format json) ${statement.text}`,
    values: [...statement.values],
  })
  const [{ Plan: root, 'Execution Time': ms }] = rows[0]['QUERY PLAN']
  return { what: `${resource.path} ${what}`, ms, ...tablesRead(root, resource.table) }
}

/** A value of the field that few records have, as a client would write it; undefined where all are null. */
const rareValue = async (
  client: Client,
  { table }: Resource,
  { field, test }: ListFilter,
): Promise<string | undefined> => {
  const [rows, column] = [quoted(table), quoted(field.name)]
  const one = async (sql: string): Promise<string | undefined> => (await client.query(sql)).rows[0]?.value
  switch (test) {
    case 'is_null': {
      const sql = `select (count(*) filter (where ${column} is null) * 2 <= count(*))::text as value from (select ${column} from ${rows} order by id desc limit 100000) sample`
      return one(sql)
    }
    case 'equals':
      return one(
        `select ${column}::text as value from (select ${column} from ${rows} where ${column} is not null order by id desc limit 100000) sample group by 1 order by count(*), 1 limit 1`,
      )
    default: {
      const direction = test === 'from' ? 'desc' : 'asc'
      const shown =
        field.kind === 'timestamp'
          ? `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
          : `${column}::text`
      return one(
        `select ${shown} as value from (select ${column} from ${rows} where ${column} is not null order by ${column} ${direction}, id ${direction} limit 100) sample order by ${column} ${direction === 'desc' ? 'asc' : 'desc'} limit 1`,
      )
    }
  }
}

const filterOf = (asked: ListFilter, text: string): Filter | undefined => {
  const read = readFilter(asked, { text: text.replaceAll(',', ',,'), isUnicode: true })
  return 'filter' in read ? read.filter : undefined
}

const filterPlan = async (client: Client, resource: Resource, asked: ListFilter): Promise<Plan | undefined> => {
  const text = await rareValue(client, resource, asked)
  const filter = text === undefined ? undefined : filterOf(asked, text)
  if (filter === undefined) return undefined
  const what = asked.parameter
  if (asked.field.state && asked.test === 'equals') {
    const place = { startId: 0n, skip: 0, shifts: 0, era: '' }
    const scope = { field: asked.field.name, value: text as string }
    return explained(client, resource, what, leapStatement(resource, plain, scope, place))
  }
  return explained(client, resource, what, findStatement(resource, { ...plain, filters: [filter] }))
}

const orderPlans = async (client: Client, resource: Resource, field: NamedField): Promise<Plan[]> => {
  const id = resource.sortable[0] as NamedField
  const plans: Plan[] = []
  for (const descending of [false, true]) {
    const sort = completeOrder([{ field, descending }], id)
    if (sort.length === 0) continue
    const what = `sort=${descending ? '-' : ''}${field.name}`
    plans.push(await explained(client, resource, what, orderedStatement(resource, { ...plain, sort })))
  }
  return plans
}

const isExcepted = ({ what }: Plan): boolean => {
  const [path = '', parameter = ''] = what.split(' ')
  return frequentValues.includes(what) || (withoutIndex[path] ?? []).some((name) => parameter === `${name}_is_null`)
}

const show = (plan: Plan): void => {
  const way = plan.readsTable ? 'reads the table' : plan.indexes.join(', ')
  console.log(`${plan.what.padEnd(48)} ${plan.ms.toFixed(1).padStart(9)} ms  ${way}`)
}

const run = async (url: string): Promise<boolean> => {
  const client = new Client({ connectionString: url, application_name: 'plans' })
  await client.connect()
  try {
    // As searches are run.
    await client.query(`set work_mem = '32MB'; set jit = off; set max_parallel_workers_per_gather = 0`)
    const plans: Plan[] = []
    for (const resource of resources) {
      const { rows } = await client.query(`select reltuples from pg_class where oid = $1::regclass`, [resource.table])
      await client.query(`set enable_seqscan = ${Number(rows[0].reltuples) < smallRows ? 'off' : 'on'}`)
      for (const asked of resource.listFilters) {
        const plan = await filterPlan(client, resource, asked)
        if (plan !== undefined) plans.push(plan)
      }
      for (const field of resource.sortable) plans.push(...(await orderPlans(client, resource, field)))
    }
    for (const plan of plans) show(plan)
    const wrong = plans.filter((plan) => plan.readsTable && !isExcepted(plan))
    const excepted = plans.filter((plan) => plan.readsTable && isExcepted(plan))
    console.log(
      `\n${plans.length} plans, ${excepted.length} read the table and are known to, ${wrong.length} should not`,
    )
    for (const plan of wrong) console.log(`should not read the table: ${plan.what}`)
    return wrong.length === 0
  } finally {
    await client.end()
  }
}

const url = process.env.DATABASE_URL
if (url === undefined) {
  console.error('Set DATABASE_URL to a database with data in it, such as muster seed --size large makes.')
  process.exit(2)
}
process.exitCode = (await run(url)) ? 0 : 1
