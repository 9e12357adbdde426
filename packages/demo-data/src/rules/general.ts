import type { NamedField } from '@muster/model'
import { resources } from '@muster/model'
import { textContent } from '../text-content.ts'
import { FICTION_PATTERN } from '../vocabulary/phones.ts'
import type { Rule } from './rule.ts'
import { AS_OF, combinedRule, quotedList } from './rule.ts'

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

/** The checks of all fields for which `broken` returns an SQL condition. */
const fieldChecks = (broken: (field: NamedField) => string | undefined) =>
  resources.flatMap(({ table, storedFields }) =>
    storedFields.flatMap((field) => {
      const condition = broken(field)
      return condition === undefined ? [] : [{ from: table, broken: condition }]
    }),
  )

const doesNotMatch = (name: string, pattern: string) => `${name} is not null and ${name} !~ '${pattern}'`

export const RESERVED_HOST = '([a-z0-9-]+\\.)*(example\\.(com|org|net)|[a-z0-9-]+\\.(example|test))'

function otherHost(field: NamedField): string | undefined {
  if (field.kind === 'url') return doesNotMatch(field.name, `^https://${RESERVED_HOST}(/[a-z0-9./-]*)?$`)
  if (field.kind !== 'text') return undefined
  const content = textContent(field)
  if (content === 'email') return doesNotMatch(field.name, `^[a-z0-9.]+@${RESERVED_HOST}$`)
  return content === 'host' ? doesNotMatch(field.name, `^${RESERVED_HOST}$`) : undefined
}

const isPhone = (field: NamedField): boolean => field.kind === 'text' && textContent(field) === 'phone'

function afterToday({ name, kind, today }: NamedField): string | undefined {
  if (kind === 'timestamp') return `coalesce(${name}, '-infinity') >= ${AS_OF} + 1`
  return today ? `coalesce(${name}, '-infinity') > ${AS_OF}` : undefined
}

export const generalRules: readonly Rule[] = [
  { name: 'ids run from 1 without a gap', sql: sumSql(tableNames.map(idGapsSql)) },
  { name: 'the next id of each sequence is free', sql: sumSql(tableNames.map(sequenceSql)) },
  combinedRule(
    'every status, stage and type is one of the suggested values',
    fieldChecks(({ name, values }) => values && `${name} not in (${quotedList(values)})`),
  ),
  combinedRule('all host names are reserved example domains', fieldChecks(otherHost)),
  combinedRule(
    'telephone numbers are from ranges reserved for fiction',
    fieldChecks((field) => (isPhone(field) ? doesNotMatch(field.name, FICTION_PATTERN) : undefined)),
  ),
  combinedRule('no timestamp, and no date that is today by default, is after today', fieldChecks(afterToday)),
]
