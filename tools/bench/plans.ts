/**
 * Prints which index PostgreSQL uses for each filter, each filter through a relation, each computed filter, the ranked
 * search and each sort order, or why it scans the whole table. Fails if it does so unexpectedly.
 */
import type { ComputedFilter, ListFilter, NamedField, RelationFilter, Resource } from '@muster/model'
import { listedResources, redacted, relationFilters, resourceAt } from '@muster/model'
import { Client } from 'pg'
import { readFilter } from '../../packages/server/src/http/request/filter-value.ts'
import type { Statement } from '../../packages/server/src/postgres/sql/statement.ts'
import { quoteIdentifier } from '../../packages/server/src/postgres/sql/statement.ts'
import type { FieldFilter } from '../../packages/server/src/queries/filters.ts'
import { withJoinedTables } from '../../packages/server/src/queries/filters.ts'
import type { ListQuery } from '../../packages/server/src/queries/list/query.ts'
import { scanStatement } from '../../packages/server/src/queries/list/scan.ts'
import { findStatement } from '../../packages/server/src/queries/list/search-statements.ts'
import { sortedScanStatement } from '../../packages/server/src/queries/list/sorted-scan.ts'
import { rankedSearchStatement } from '../../packages/server/src/queries/ranked-search/statement.ts'
import { completeOrder } from '../../packages/server/src/queries/sort.ts'
import { runBench } from './command.ts'
import { findTableAccess } from './table-access.ts'

/**
 * Fields without an index for their filter `…_is_null`, which therefore scans the table. Such queries are rare, and
 * more indexes would slow down every write.
 */
const fieldsWithoutIndex: Readonly<Record<string, readonly string[]>> = {
  employees: ['gender'],
  leave: ['reason'],
  jobs: ['description', 'requirements', 'stages_json'],
  candidates: ['phone', 'headline', 'linkedin_url', 'notes'],
  applications: ['rejection_reason'],
  organizations: ['settings_json'],
  brands: ['logo_url', 'favicon_url', 'primary_color', 'accent_color', 'custom_domain', 'settings_json'],
  'career-sites': ['headline', 'introduction', 'logo_url', 'privacy_policy_url', 'custom_domain'],
  'organization-teams': ['settings_json'],
}

const exclusionReason = 'a B-tree index does not find values by what they are not'
const nullReason = 'rarely asked, so the field has no index'

/** Computed filters that may scan the table, with the reason. */
const computedScanReasons: Readonly<Record<string, string>> = {
  employed_on: 'most employees match on most days, so no index would be faster',
  anniversary_from: 'one pass over the table of people takes less time than an index would save on writes',
  anniversary_to: 'one pass over the table of people takes less time than an index would save on writes',
  reached: 'most applications have reached the first stages, so no index would be faster',
  passed: 'most applications have passed the first stages, so no index would be faster',
  decided: 'most applications are decided, so no index would be faster',
  health: 'a rule may have to read every record',
  values_on: 'by itself it filters nothing',
  headcount: 'by itself it selects all who left',
  headcount_from: 'by itself it filters nothing',
  headcount_to: 'by itself it filters nothing',
  decided_from: 'most requests were decided since any day',
  decided_to: 'most requests were decided until any day',
  ...Object.fromEntries(
    ['entered', 'left', 'skipped', 'entered_from', 'entered_to', 'left_from', 'left_to', 'waiting_on', 'outcome'].map(
      (name) => [name, 'many applications were in the stage, so no index would be faster'],
    ),
  ),
}

/** The planner always scans tables with fewer rows than this, so sequential scans are disabled for them. */
const smallTableRows = 20_000

const isSmall = async (client: Client, { table }: Resource): Promise<boolean> => {
  const { rows } = await client.query(`select reltuples from pg_class where oid = $1::regclass`, [table])
  return Number(rows[0].reltuples) < smallTableRows
}

interface Plan {
  readonly label: string
  readonly ms: number
  readonly indexes: readonly string[]
  readonly scansTable: boolean
  /** Why a scan of the table is expected. Undefined if PostgreSQL must use an index. */
  readonly scanReason?: string | undefined
}

const firstPage: ListQuery = { limit: 50, offset: 0n, terms: [], filters: [], sort: [] }

/** PostgreSQL must use an index for each of the `tables`. It may scan all other tables of the query. */
const explain = async (
  client: Client,
  resource: Resource,
  queryName: string,
  statement: Statement,
  tables: readonly string[] = [resource.table],
): Promise<Plan> => {
  const { rows } = await client.query({
    text: `explain (analyze, timing off, format json) ${statement.text}`,
    values: [...statement.values],
  })
  const [{ Plan: root, 'Execution Time': ms }] = rows[0]['QUERY PLAN']
  const accesses = tables.map((table) => findTableAccess(root, table))
  return {
    label: `${resource.path} ${queryName}`,
    ms,
    indexes: accesses.flatMap(({ indexes }) => indexes),
    scansTable: accesses.some(({ scansTable }) => scansTable),
  }
}

/**
 * Returns a value that selects few records, written as in a request: a rare one, or for a filter that excludes values
 * the most common one. Undefined if the field is null in every record.
 */
const findRareValue = async (
  client: Client,
  { table }: Resource,
  { field, test }: ListFilter,
): Promise<string | undefined> => {
  const [rows, column] = [quoteIdentifier(table), quoteIdentifier(field.name)]
  const firstValue = async (sql: string): Promise<string | undefined> => (await client.query(sql)).rows[0]?.value
  switch (test) {
    case 'is_null': {
      const sql = `select (count(*) filter (where ${column} is null) * 2 <= count(*))::text as value from (select ${column} from ${rows} order by id desc limit 100000) sample`
      return firstValue(sql)
    }
    case 'equals':
    case 'not': {
      const direction = test === 'not' ? 'desc' : 'asc'
      return firstValue(
        `select ${column}::text as value from (select ${column} from ${rows} where ${column} is not null order by id desc limit 100000) sample group by 1 order by count(*) ${direction}, 1 limit 1`,
      )
    }
    default: {
      const direction = test === 'from' ? 'desc' : 'asc'
      const valueText =
        field.kind === 'timestamp'
          ? `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
          : `${column}::text`
      return firstValue(
        `select ${valueText} as value from (select ${column} from ${rows} where ${column} is not null order by ${column} ${direction}, id ${direction} limit 100) sample order by ${column} ${direction === 'desc' ? 'asc' : 'desc'} limit 1`,
      )
    }
  }
}

const parseFilter = (listFilter: ListFilter, text: string): FieldFilter | undefined => {
  const parsed = readFilter(listFilter, { text: text.replaceAll(',', ',,'), isUnicode: true })
  return 'filter' in parsed ? parsed.filter : undefined
}

const explainFilter = async (client: Client, resource: Resource, listFilter: ListFilter): Promise<Plan | undefined> => {
  const text = await findRareValue(client, resource, listFilter)
  const filter = text === undefined ? undefined : parseFilter(listFilter, text)
  if (filter === undefined) return undefined
  const queryName = listFilter.parameter
  const statement =
    listFilter.field.state && 'values' in filter
      ? scanStatement(resource, firstPage, filter)
      : findStatement(resource, { ...firstPage, filters: [filter] })
  const plan = await explain(client, resource, queryName, statement)
  return { ...plan, scanReason: fieldScanReason(resource, listFilter) }
}

const fieldScanReason = ({ path }: Resource, { test, field }: ListFilter): string | undefined => {
  if (test === 'not') return exclusionReason
  return test === 'is_null' && fieldsWithoutIndex[path]?.includes(field.name) ? nullReason : undefined
}

/** One plan for each choice, or for one value of any other kind. */
const explainComputedFilter = async (client: Client, resource: Resource, computed: ComputedFilter): Promise<Plan[]> => {
  const plans: Plan[] = []
  for (const value of computed.values ?? [await findComputedValue(client, computed)]) {
    const query = { ...firstPage, filters: [{ computed, value }] }
    const statement = findStatement(withJoinedTables(resource, computed.tables), query)
    const plan = await explain(client, resource, `${computed.parameter}=${value}`, statement)
    const { [computed.parameter]: scanReason } = computedScanReasons
    plans.push({ ...plan, scanReason })
  }
  return plans
}

/** The last day with data, the manager of the most people, or a stage: the only texts that computed filters take. */
const findComputedValue = async (client: Client, { kind }: ComputedFilter): Promise<string> => {
  const firstValue = async (sql: string): Promise<string> => String((await client.query(sql)).rows[0]?.value ?? '1')
  switch (kind) {
    case 'month-day':
      return '12-01'
    case 'date':
      return firstValue('select max(att_date)::text as value from attendance')
    case 'id':
      return firstValue(
        'select manager_id::text as value from employees where manager_id is not null group by 1 order by count(*) desc limit 1',
      )
    default:
      return 'interview'
  }
}

/**
 * PostgreSQL must find the rows by an index of the reference: by the primary key it would read all of them. It may scan
 * a small related table.
 */
const explainRelationFilter = async (
  client: Client,
  resource: Resource,
  { relation, ...listFilter }: RelationFilter,
): Promise<Plan | undefined> => {
  const related = resourceAt(relation.resource)
  const text = await findRareValue(client, related, listFilter)
  const filter = text === undefined ? undefined : parseFilter(listFilter, text)
  if (filter === undefined) return undefined
  const query = { ...firstPage, filters: [{ relation, conditions: [filter] }] }
  const statement = findStatement(withJoinedTables(resource, [related.table]), query)
  const tables = (await isSmall(client, related)) ? [resource.table] : [resource.table, related.table]
  const plan = await explain(client, resource, listFilter.parameter, statement, tables)
  const usesIndex = plan.indexes.some((name) => name.startsWith(`${resource.table}_`) && !name.endsWith('_pkey'))
  return { ...plan, scansTable: plan.scansTable || !usesIndex }
}

const explainSortOrders = async (client: Client, resource: Resource, field: NamedField): Promise<Plan[]> => {
  const id = resource.sortableFields[0] as NamedField
  const plans: Plan[] = []
  for (const descending of [false, true]) {
    const sort = completeOrder([{ field, descending }], id)
    if (sort.length === 0) continue
    const queryName = `sort=${descending ? '-' : ''}${field.name}`
    plans.push(await explain(client, resource, queryName, sortedScanStatement(resource, { ...firstPage, sort })))
  }
  return plans
}

/** The beginning of many names, and a text that no record contains, for which the service looks everywhere. */
const searchedTexts = ['a', 'zqzq']

/** As clients see them with and without personal fields. */
const explainSearches = async (client: Client, resource: Resource): Promise<Plan[]> => {
  const { search } = resource
  if (search === undefined) return []
  const plans: Plan[] = []
  for (const visible of [resource, redacted(resource)])
    for (const text of searchedTexts) {
      const query = { text, terms: [text], resources: [{ ...visible, search }], limit: 10 }
      const queryName = `search ${text}${visible.hidesPersonal ? ', redacted' : ''}`
      plans.push(await explain(client, resource, queryName, rankedSearchStatement(query)))
    }
  return plans
}

const isExpectedScan = ({ scanReason }: Plan): boolean => scanReason !== undefined

const printPlan = (plan: Plan): void => {
  const scan = plan.scanReason === undefined ? 'scans the table' : `scans the table: ${plan.scanReason}`
  const access = plan.scansTable ? scan : plan.indexes.join(', ')
  console.log(`${plan.label.padEnd(52)} ${plan.ms.toFixed(1).padStart(9)} ms  ${access}`)
}

const checkPlans = async (url: string): Promise<boolean> => {
  const client = new Client({ connectionString: url, application_name: 'plans' })
  await client.connect()
  try {
    // The connections that the service uses for searches have the same settings.
    await client.query(`set work_mem = '32MB'; set jit = off; set max_parallel_workers_per_gather = 0`)
    const plans: Plan[] = []
    for (const resource of listedResources) {
      await client.query(`set enable_seqscan = ${(await isSmall(client, resource)) ? 'off' : 'on'}`)
      for (const listFilter of resource.listFilters) {
        const plan = await explainFilter(client, resource, listFilter)
        if (plan !== undefined) plans.push(plan)
      }
      for (const relationFilter of relationFilters(resource)) {
        const plan = await explainRelationFilter(client, resource, relationFilter)
        if (plan !== undefined) plans.push(plan)
      }
      for (const computed of resource.computedFilters)
        plans.push(...(await explainComputedFilter(client, resource, computed)))
      plans.push(...(await explainSearches(client, resource)))
      for (const field of resource.sortableFields) plans.push(...(await explainSortOrders(client, resource, field)))
    }
    for (const plan of plans) printPlan(plan)
    const unexpectedScans = plans.filter((plan) => plan.scansTable && !isExpectedScan(plan))
    const expectedScans = plans.filter((plan) => plan.scansTable && isExpectedScan(plan))
    console.log(
      `\n${plans.length} plans, ${expectedScans.length} scan the table as expected, ${unexpectedScans.length} unexpectedly`,
    )
    for (const plan of unexpectedScans) console.log(`unexpected table scan: ${plan.label}`)
    return unexpectedScans.length === 0
  } finally {
    await client.end()
  }
}

await runBench('a database with data in it, such as one filled by muster seed --size large', checkPlans)
