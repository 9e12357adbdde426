import { resources } from '@muster/model'
import { FICTION_PATTERN } from '../vocabulary/phones.ts'
import type { Rule } from './rule.ts'
import { combinedRule, quotedList, rowRule } from './rule.ts'

const tableNames = resources.map(({ table }) => table)

/**
 * SQL that counts missing ids. Ids are unique (primary key), so some are missing if the lowest and highest id do not
 * match the number of rows.
 */
const idGapsSql = (table: string) =>
  `select count(*) as checked, abs(coalesce(max(id), 0) - count(*)) + abs(coalesce(min(id), 1) - 1) as violations from ${table}`

const sequenceSql = (table: string) =>
  `select 1 as checked, (last_value + is_called::int <= (select coalesce(max(id), 0) from ${table}))::int as violations from ${table}_id_seq`

const sumSql = (parts: readonly string[]) =>
  `select sum(checked) as checked, sum(violations) as violations from (${parts.join(' union all ')}) as counts`

const suggestedValueChecks = resources.flatMap(({ table, allFields: all }) =>
  all.flatMap(({ name, values }) =>
    values === undefined ? [] : [{ from: table, broken: `${name} not in (${quotedList(values)})` }],
  ),
)

export const RESERVED_HOST = '([a-z0-9-]+\\.)*(example\\.(com|org|net)|[a-z0-9-]+\\.(example|test))'
const hostCheck = (table: string, column: string, prefix: string, suffix: string) => ({
  from: `${table} where ${column} is not null`,
  broken: `${column} !~ '^${prefix}${RESERVED_HOST}${suffix}$'`,
})
const emailCheck = (table: string) => hostCheck(table, 'email', '[a-z0-9.]+@', '')
const urlCheck = (table: string, column: string) => hostCheck(table, column, 'https://', '(/[a-z0-9./-]*)?')
const domainCheck = (table: string) => hostCheck(table, 'custom_domain', '', '')

export const generalRules: readonly Rule[] = [
  { name: 'ids run from 1 without a gap', sql: sumSql(tableNames.map(idGapsSql)) },
  { name: 'the next id of each sequence is free', sql: sumSql(tableNames.map(sequenceSql)) },
  combinedRule('every status, stage and type is one of the suggested values', suggestedValueChecks),
  combinedRule('all host names are reserved example domains', [
    emailCheck('employees'),
    emailCheck('candidates'),
    urlCheck('candidates', 'linkedin_url'),
    urlCheck('recruitment_brands', 'logo_url'),
    urlCheck('recruitment_brands', 'favicon_url'),
    domainCheck('recruitment_brands'),
    urlCheck('career_sites', 'privacy_policy_url'),
    domainCheck('career_sites'),
  ]),
  rowRule('telephone numbers are from ranges reserved for fiction', {
    from: 'candidates where phone is not null',
    broken: `phone !~ '${FICTION_PATTERN}'`,
  }),
]
