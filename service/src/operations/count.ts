/** In charge of counting by group: exact, in one snapshot, and from the books where these hold the answer. */
import type { Grouping, Resource, Span } from '@muster/model'
import { maxGroups } from '@muster/model'
import type { Runner } from '../database/database.ts'
import type { Statement } from '../database/statement.ts'
import { booksOf, literal, named, Parameters, quoted } from '../database/statement.ts'
import type { Narrowing } from './conditions.ts'
import { conditionsOf, isNarrowed, matchesNothing } from './conditions.ts'

export interface CountQuery extends Narrowing {
  /** One or two. */
  readonly groupings: readonly Grouping[]
}

export interface Counts {
  readonly version: string
  readonly total: number
  readonly groups: number
  /** The JSON texts of the groups, joined by commas. */
  readonly texts: string
}

/** Undefined where there are more groups than anybody is told. */
export const countGroups = async (
  reader: Runner,
  resource: Resource,
  query: CountQuery,
): Promise<Counts | undefined> => {
  const [row] = await reader.run(countStatement(resource, query))
  const [version, groups, total, texts] = row as readonly [string, number, string | null, string | null]
  return groups > maxGroups ? undefined : { version, groups, total: Number(total ?? 0), texts: texts ?? '' }
}

export const countStatement = (resource: Resource, query: CountQuery): Statement => {
  const [first, ...others] = query.groupings
  const state = first?.field.state && others.length === 0 && !isNarrowed(query) ? first : undefined
  return state === undefined ? tableStatement(resource, query) : booksStatement(resource, state)
}

/** Every row is looked at, unless an index knows better. */
const tableStatement = (resource: Resource, query: CountQuery): Statement => {
  const parameters = new Parameters()
  const { groupings } = query
  const values = groupings.map((grouping, index) => `${groupedBy(grouping)} as value_${index + 1}`).join(', ')
  const numbers = groupings.map((_, index) => index + 1).join(', ')
  const matching = matchesNothing(query) ? 'false' : conditionsOf(resource, query, parameters)
  const groups = `select ${values}, count(*) as count from ${quoted(resource.table)} where ${matching} group by ${numbers} limit ${maxGroups + 1}`
  return {
    pool: 'search',
    told: { resource, column: 0 },
    text: answerText(resource, groupings, `groups as materialized (${groups})`),
    values: parameters.values,
  }
}

/**
 * A state has a scope for each of its values. These are looked up one after the other: in the books of a large table each
 * has very many blocks, of which a few hold the sum.
 */
const booksStatement = (resource: Resource, grouping: Grouping): Statement => {
  const table = literal(resource.table)
  const { name } = grouping.field
  const start = literal(`${name}=`)
  // The character after the equals sign.
  const within = (scope: string) => `resource = ${table} and ${scope} < ${literal(`${name}>`)}`
  const next = (than: string) =>
    `(select scope from muster_blocks where ${within('scope')} and scope ${than} order by scope limit 1)`
  const groups = `select substr(scope, ${name.length + 2}) as value_1, muster_count(${table}, array[scope]) as count from (select scope from folded where scope is not null union select scope from muster_journal where ${within('scope')} and scope >= ${start}) scopes`
  return {
    pool: 'read',
    ...named(`count by ${name}`, resource),
    told: { resource, column: 0 },
    text: answerText(
      resource,
      [grouping],
      `recursive folded (scope) as (select ${next(`>= ${start}`)} union all select ${next('> folded.scope')} from folded where folded.scope is not null),` +
        ` groups as materialized (select * from (${groups}) counted where count > 0 limit ${maxGroups + 1})`,
    ),
    values: [],
  }
}

/** Version, number of groups, total, and the groups as JSON in their order; from a query called `groups`. */
const answerText = (resource: Resource, groupings: readonly Grouping[], queries: string): string => {
  const shown = groupings.map(
    (grouping, index) => `${shownAs(grouping, `value_${index + 1}`)} as ${quoted(grouping.name)}`,
  )
  const order = groupings.map((_, index) => `value_${index + 1} nulls last`).join(', ')
  const ordered = `select (select row_to_json(answered)::text from (select ${shown.join(', ')}, count) answered) as text from groups order by ${order}`
  return (
    `with ${queries} select books.version, (select count(*) from groups), (select sum(count) from groups),` +
    ` (select string_agg(text, ',') from (${ordered}) ordered) from ${booksOf(resource)}`
  )
}

/** What rows of one group have in common. Texts are one where a filter takes them for one. */
const groupedBy = ({ field, span }: Grouping): string => {
  const column = quoted(field.name)
  if (span !== undefined) {
    const moment = field.kind === 'date' ? `${column}::timestamp` : `${column} at time zone 'UTC'`
    return `date_trunc(${literal(span)}, ${moment})`
  }
  return field.kind === 'text' ? `muster_key(${column}) collate "C"` : column
}

const shownAs = ({ span }: Grouping, value: string): string =>
  span === undefined ? value : `to_char(${value}, ${literal(spanShapes[span])})`

const spanShapes: Readonly<Record<Span, string>> = { year: 'YYYY', month: 'YYYY-MM', day: 'YYYY-MM-DD' }
