/**
 * The statement of the ranked search. It never sorts more than a few thousand records, whatever is searched:
 *
 * - Names and codes that begin with the text come from their indexes in the order of the results, a page from each.
 * - Only if these are too few, records that contain all terms are looked for: among the newest `recentRows` of each
 *   resource, and if few of these match, in the trigram index. Of each at most `maxConsidered` are ranked, the newest.
 */
import type { SearchedResource, SearchMatch } from '@muster/model'
import { endedKey, maxNameKey, nameKeys, searchedResources, searchLimits } from '@muster/model'
import type { Statement } from '../../postgres/sql/statement.ts'
import { Parameters, quoteIdentifier, quoteLiteral, searchText, versionedSelect } from '../../postgres/sql/statement.ts'
import { hasTrigram, matchesNothing } from '../filters.ts'
import type { RankedSearchQuery } from './query.ts'
import { resultText, searchSource } from './result-columns.ts'

const maxPreparedTerms = 3

const recentRows = 5_000
const maxConsidered = 500
/** The trigram index is read if fewer of the newest records match: it takes as long as there are matches. */
const frequentMatches = 10

/** The order of the results. Each rank is a match of the API; the two ranks of `prefix` are not told apart there. */
const ranks = { exact: 1, prefix: 2, prefixes: 3, word: 4, substring: 5 } as const
const matchOf: Readonly<Record<number, SearchMatch>> = {
  [ranks.exact]: 'exact',
  [ranks.prefix]: 'prefix',
  [ranks.prefixes]: 'prefix',
  [ranks.word]: 'word',
  [ranks.substring]: 'substring',
}

/** The last character of Unicode: no text that begins with the prefix is greater than the prefix and this character. */
const lastCharacter = `U&'\\+10FFFF'`

export const rankedSearchStatement = (query: RankedSearchQuery): Statement => {
  const { resources, terms, limit } = query
  if (matchesNothing({ terms, filters: [] })) return emptyStatement(resources)
  const parameters = new Parameters()
  const text = parameters.add(query.text)
  const limitParameter = `${parameters.add(limit)}::bigint`
  const placeholders = terms.map((term) => parameters.add(term))
  const isIndexed = terms.some(hasTrigram)
  const parts = resources.map((resource, index) => ({ resource, index, placeholders, isIndexed }))
  const named = parts.flatMap(namedSelects)
  return {
    pool: 'search',
    ...labelsOf(query, isIndexed),
    ...versionedSelect(
      searchSource(resources),
      `(select coalesce(string_agg(${resultOf(resources)}, ',' order by position) filter (where position <= ${limitParameter}), '') from ranked), (select count(*) from ranked)`,
      {
        queries: [
          `sought as materialized (select "left"(muster_fold(${text}), ${maxNameKey}) as name, muster_key(${text}) as code)`,
          `patterns as materialized (${patternsSelect(placeholders)})`,
          `named (resource, id, ended, rank, key) as materialized (${named.length === 0 ? noneNamed : named.join(' union all ')})`,
          `too_few as materialized (select count(distinct (resource, id)) <= ${limitParameter} as is_true from named)`,
          ...parts.flatMap(containingQueries),
          `found as (${['select * from named', ...parts.map(containingSelect)].join(' union all ')})`,
          `ranked as materialized (select resource, id, rank, row_number() over (order by rank, ended, resource, key collate "C", id) as position from (select distinct on (resource, id) * from found order by resource, id, rank, key collate "C") best order by position limit ${limitParameter} + 1)`,
        ].join(', '),
      },
    ),
    values: parameters.values,
  }
}

/**
 * Planning takes five times as long as running: 66 and 13 ms for a company of 250 people, on a busy machine. The text is in
 * subselects, and the limit in none, so that one plan serves all texts. There is a plan for each number of terms and choice of
 * resources, so only the usual ones are kept.
 */
const labelsOf = ({ resources, terms }: RankedSearchQuery, isIndexed: boolean): Pick<Statement, 'name' | 'summary'> => {
  const isUsual = terms.length <= maxPreparedTerms && [1, searchedResources.length].includes(resources.length)
  if (!isUsual) return { summary: 'ranked search' }
  const paths = resources.map(({ path }) => path).join(', ')
  const marks = [isIndexed ? '' : ', short', resources.some(({ hidesPersonal }) => hidesPersonal) ? ', redacted' : '']
  return { name: `ranked search of ${paths} by ${terms.length}${marks.join('')}` }
}

const emptyStatement = (resources: readonly SearchedResource[]): Statement => ({
  pool: 'read',
  summary: 'empty ranked search',
  ...versionedSelect(searchSource(resources), `'', 0`),
  values: [],
})

interface Part {
  readonly resource: SearchedResource
  /** Position among the searched resources. */
  readonly index: number
  readonly placeholders: readonly string[]
  /** Whether the trigram index can find one of the terms. */
  readonly isIndexed: boolean
}

const noneNamed = 'select null::int, null::bigint, null::int, null::int, null::text where false'

/** Every personal field is left out for clients that may not see it, so that it changes neither rank nor duration. */
const isVisible = (resource: SearchedResource, name: string): boolean =>
  !(resource.redacted && resource.fields[name]?.personal)

const visibleNameKeys = (resource: SearchedResource): string[] =>
  resource.search.name.every((name) => isVisible(resource, name)) ? nameKeys(resource, resource.search) : []

/** One select for each index and state. The indexes of codes do not contain the state, so there is one for both. */
const namedSelects = (part: Part): string[] => {
  const { resource } = part
  const ended = endedKey(resource, resource.search)
  const codes = resource.search.codes.filter((name) => isVisible(resource, name))
  return [
    ...visibleNameKeys(resource).flatMap((key) =>
      [0, 1].map((state) => namedSelect(part, { key, sought: 'name', condition: `${ended} = ${state}` })),
    ),
    ...codes.map((name) =>
      namedSelect(part, { key: `muster_key(${quoteIdentifier(name)}) collate "C"`, sought: 'code', condition: 'true' }),
    ),
  ]
}

interface NamedScan {
  readonly key: string
  /** The column of `sought`. */
  readonly sought: 'name' | 'code'
  readonly condition: string
}

const namedSelect = ({ resource, index }: Part, { key, sought, condition }: NamedScan): string =>
  `(select ${index}, id, ${endedKey(resource, resource.search)}, case when ${key} = (select ${sought} from sought) then ${ranks.exact} else ${ranks.prefix} end, ${key} from ${quoteIdentifier(resource.table)}` +
  ` where ${condition} and ${key} >= (select ${sought} from sought) and ${key} < (select ${sought} || ${lastCharacter} from sought)` +
  ` order by ${key}, id limit ${searchLimits.maxLimit + 1})`

/** Regular expressions that a text with the term at the beginning of a word matches, and one with the term as a word. */
const patternsSelect = (placeholders: readonly string[]): string => {
  const escaped = `regexp_replace(muster_fold(term) collate "und-x-icu", '([^[:alnum:]])', '\\\\\\1', 'g')`
  const [before, after] = [`'(^|[^[:alnum:]])'`, `'($|[^[:alnum:]])'`]
  const arrayOf = (pattern: string) =>
    `array(select ${pattern} from unnest(array[${placeholders.join(', ')}]::text[]) term)`
  return `select ${arrayOf(`${before} || ${escaped}`)} as beginnings, ${arrayOf(`${before} || ${escaped} || ${after}`)} as words`
}

const recentName = (index: number) => `recent${index}`
const olderName = (index: number) => `older${index}`

/** The ids of records that contain all terms, if the names were too few. */
const containingQueries = ({ resource, index, placeholders, isIndexed }: Part): string[] => {
  const table = quoteIdentifier(resource.table)
  const conditions = placeholders
    .map((term) => `${searchText(resource)} like (select muster_like(${term}))`)
    .join(' and ')
  const recent = `select id from (select * from ${table} order by id desc limit ${recentRows}) ${table} where (select is_true from too_few) and ${conditions} order by id desc limit ${maxConsidered}`
  if (!isIndexed) return [`${recentName(index)} as materialized (${recent})`]
  // "offset 0" keeps the planner from reading the table by id until enough records match.
  const isRare = `(select is_true from too_few) and (select count(*) from ${recentName(index)}) < ${frequentMatches}`
  const older = `select id from (select id from ${table} where ${conditions} and ${isRare} offset 0) ${table} order by id desc limit ${maxConsidered}`
  return [`${recentName(index)} as materialized (${recent})`, `${olderName(index)} as materialized (${older})`]
}

const containingSelect = ({ resource, index, isIndexed }: Part): string => {
  const { search, table } = resource
  const ids = [recentName(index), ...(isIndexed ? [olderName(index)] : [])].map((name) => `select id from ${name}`)
  const [name] = visibleNameKeys(resource)
  const matchesAll = (text: string, patterns: string) =>
    `(${text}) collate "und-x-icu" ~ all ((select ${patterns} from patterns)::text[])`
  const beginnings = name === undefined ? '' : `when ${matchesAll(name, 'beginnings')} then ${ranks.prefixes} `
  const rank = `case ${beginnings}when ${matchesAll(searchText(resource), 'words')} then ${ranks.word} else ${ranks.substring} end`
  return `select ${index}, id, ${endedKey(resource, search)}, ${rank}, ${name ?? "''"} from ${quoteIdentifier(table)} where id = any (array(${ids.join(' union ')}))`
}

const resultOf = (resources: readonly SearchedResource[]): string => {
  const matches = Object.entries(matchOf).map(([rank, name]) => `when ${rank} then ${quoteLiteral(name)}`)
  const match = `case ranked.rank ${matches.join(' ')} end`
  const results = resources.map((resource, index) => `when ${index} then ${resultText(resource, 'ranked.id', match)}`)
  return `case ranked.resource ${results.join(' ')} end`
}
