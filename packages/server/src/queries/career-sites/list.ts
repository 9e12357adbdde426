import type { FilterChoices, ListFilters, PostingSummary, Site } from '../../career-sites/posting.ts'
import type { Runner } from '../../postgres/connection/database.ts'
import type { Statement } from '../../postgres/sql/statement.ts'
import { Parameters, versionedSelect } from '../../postgres/sql/statement.ts'
import type { Moment, SummaryCells } from './postings.ts'
import {
  expiryOf,
  isOver,
  isPublished,
  isWaiting,
  milliseconds,
  nextChange,
  postingsFrom,
  readSummary,
  summaryColumns,
} from './postings.ts'
import type { Cell, Versioned } from './site.ts'
import { careerTables } from './site.ts'

export interface ListRead {
  readonly total: number
  readonly postings: readonly PostingSummary[]
  readonly choices: FilterChoices
  /** When the list changes although no record does. */
  readonly expiresAt: number | undefined
}

export interface ListWindow {
  readonly limit: number
  readonly offset: number
}

const maxChoices = 200

/** Newest postings first. */
const listStatement = (
  site: Site,
  locale: string,
  filters: ListFilters,
  { limit, offset }: ListWindow,
  { now }: Moment,
): Statement => {
  const parameters = new Parameters()
  const moment = `to_timestamp(${parameters.add(now)}::float8 / 1000)`
  const from = postingsFrom(site, parameters)
  const where = `d.career_site_id = ${parameters.add(site.id)} and d.locale = ${parameters.add(locale)} and ${isPublished}`
  const choicesOf = (column: string): string =>
    `(select json_agg(value order by value)::text from (select distinct ${column} as value from visible where ${column} <> '' order by 1 limit ${maxChoices}) listed)`
  const conditions = filterConditions(filters, parameters)
  const filtered =
    conditions.length === 0 ? 'visible' : `(select * from visible where ${conditions.join(' and ')}) filtered`
  const page = `(select * from ${filtered} order by posted_at desc nulls last, id desc limit ${parameters.add(limit)}::bigint offset ${parameters.add(offset)}::bigint) p
    join job_distributions d on d.id = p.id join job_openings j on j.id = d.job_posting_id
    left join departments on departments.id = j.dept_id`
  return {
    pool: 'list',
    // Prepared, so that it is not planned for each request. With filters there are too many texts.
    ...(conditions.length === 0 ? { name: 'career list' } : { summary: 'career list, filtered' }),
    values: parameters.values,
    ...versionedSelect(
      careerTables,
      `(select count(*) from ${filtered}),
       (select ${milliseconds(nextChange(moment))} from postings),
       ${choicesOf('department')}, ${choicesOf('employment_type')}, ${choicesOf('remote_policy')}, ${choicesOf('location')},
       (select coalesce(json_agg(json_build_array(${summaryColumns}) order by p.posted_at desc nulls last, p.id desc), '[]')::text from ${page})`,
      {
        queries: `postings as materialized (
            select d.id, d.job_posting_id, posted_at, starts_at, ends_at, departments.name as department, j.employment_type, j.remote_policy, j.location
            from ${from} where ${where}),
          visible as materialized (select * from postings where not ${isWaiting(moment)} and not ${isOver(moment)})`,
      },
    ),
  }
}

const maxWords = 8

const filterConditions = (filters: ListFilters, parameters: Parameters): string[] => {
  const equals = (column: string, value: string): string[] =>
    value === '' ? [] : [`${column} = ${parameters.add(value)}`]
  const words = filters.words
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, maxWords)
  return [
    ...equals('department', filters.department),
    ...equals('employment_type', filters.contract),
    ...equals('remote_policy', filters.workplace),
    ...equals('location', filters.place),
    ...words.map((word) => {
      const pattern = `muster_like(${parameters.add(word)}::text)`
      return `exists (select from job_openings j where j.id = visible.job_posting_id
        and (j.search_text like ${pattern} or muster_fold(coalesce(visible.department, '')) like ${pattern}))`
    }),
  ]
}

export const readList = async (
  reader: Runner,
  site: Site,
  locale: string,
  { filters, window, moment }: { filters: ListFilters; window: ListWindow; moment: Moment },
): Promise<Versioned<ListRead>> => {
  const [row] = await reader.run(listStatement(site, locale, filters, window, moment))
  const [version, total, expiry, department, contract, workplace, place, postings] = row as readonly [
    string,
    string | number,
    Cell,
    Cell,
    Cell,
    Cell,
    Cell,
    string,
  ]
  const choices = (cell: Cell): readonly string[] => JSON.parse(cell ?? '[]') as string[]
  return {
    version,
    value: {
      total: Number(total),
      expiresAt: expiryOf(expiry),
      choices: {
        department: choices(department),
        contract: choices(contract),
        workplace: choices(workplace),
        place: choices(place),
      },
      postings: (JSON.parse(postings) as SummaryCells[]).map(readSummary),
    },
  }
}
