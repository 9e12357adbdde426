/** In charge of the rules that hold in every table: ids, sequences, vocabularies, and that nobody real can be reached. */
import { resources } from '@muster/model'
import { FICTION_PATTERN } from './phones.ts'
import type { Rule } from './rule.ts'
import { counting, listed, together } from './rule.ts'

const tableNames = resources.map(({ table }) => table)

/** Ids are unique by their primary key, so the lowest and the highest tell whether one is missing. */
const gaps = (table: string) =>
  `select count(*) as checked, abs(coalesce(max(id), 0) - count(*)) + abs(coalesce(min(id), 1) - 1) as violations from ${table}`

const standing = (table: string) =>
  `select 1 as checked, (last_value + is_called::int <= (select coalesce(max(id), 0) from ${table}))::int as violations from ${table}_id_seq`

const sum = (parts: readonly string[]) =>
  `select sum(checked) as checked, sum(violations) as violations from (${parts.join(' union all ')}) as counts`

const advised = resources.flatMap(({ table, all }) =>
  all.flatMap(({ name, values }) =>
    values === undefined ? [] : [{ from: table, broken: `${name} not in (${listed(values)})` }],
  ),
)

const RESERVED_HOST = '([a-z0-9-]+\\.)*(example\\.(com|org|net)|[a-z0-9-]+\\.(example|test))'
const host = (table: string, column: string, before: string, after: string) => ({
  from: `${table} where ${column} is not null`,
  broken: `${column} !~ '^${before}${RESERVED_HOST}${after}$'`,
})
const address = (table: string) => host(table, 'email', '[a-z0-9.]+@', '')
const url = (table: string, column: string) => host(table, column, 'https://', '(/[a-z0-9./-]*)?')
const domain = (table: string) => host(table, 'custom_domain', '', '')

export const everywhereRules: readonly Rule[] = [
  { name: 'ids run from 1 without a gap', sql: sum(tableNames.map(gaps)) },
  { name: 'the next id comes after the last', sql: sum(tableNames.map(standing)) },
  together('states, stages and kinds are the advised ones', advised),
  together('hosts are reserved for examples', [
    address('employees'),
    address('candidates'),
    url('candidates', 'linkedin_url'),
    url('recruitment_brands', 'logo_url'),
    url('recruitment_brands', 'favicon_url'),
    domain('recruitment_brands'),
    url('career_sites', 'logo_url'),
    url('career_sites', 'privacy_policy_url'),
    domain('career_sites'),
  ]),
  counting('telephone numbers are kept for fiction', {
    from: 'candidates where phone is not null',
    broken: `phone !~ '${FICTION_PATTERN}'`,
  }),
]
