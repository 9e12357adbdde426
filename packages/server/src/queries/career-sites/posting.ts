import type { Alternate, Posting, PostingSummary, Site } from '../../career-sites/posting.ts'
import type { Runner } from '../../postgres/connection/database.ts'
import type { Statement } from '../../postgres/sql/statement.ts'
import { Parameters, versionedSelect } from '../../postgres/sql/statement.ts'
import type { Moment, PostingCells, SummaryCells } from './postings.ts'
import {
  expiryOf,
  isOver,
  isPublished,
  isVisible,
  milliseconds,
  postingColumns,
  postingsFrom,
  readPosting,
  readSummary,
  rowsJson,
  summaryColumns,
} from './postings.ts'
import type { Cell, Versioned } from './site.ts'
import { careerTables } from './site.ts'

/** `gone` means that the posting was visible and will not be again without a change of the records. */
export type PostingState = 'visible' | 'gone' | 'hidden' | 'unknown'

export interface PostingRead {
  readonly state: PostingState
  readonly posting: Posting | undefined
  readonly alternates: readonly Alternate[]
  readonly others: readonly PostingSummary[]
  readonly expiresAt: number | undefined
}

const maxOthers = 5
/** The newest postings among which others are looked for, so that a page of a large site does not read all of them. */
const maxOtherCandidates = 40

const postingStatement = (site: Site, locale: string, slug: string, { now }: Moment): Statement => {
  const parameters = new Parameters()
  const moment = `to_timestamp(${parameters.add(now)}::float8 / 1000)`
  const from = postingsFrom(site, parameters)
  const [siteId, localeParameter, slugParameter] = [site.id, locale, slug].map((value) => parameters.add(value))
  const newest = `(select * from job_distributions d where d.career_site_id = ${siteId} and d.locale = ${localeParameter}
    order by d.id desc limit ${maxOtherCandidates})`
  const state = `case when ${isVisible(moment)} then 'visible'
    when d.status in ('closed', 'archived') or j.status in ('closed', 'archived') or (${isPublished} and ${isOver(moment)}) then 'gone'
    else 'hidden' end`
  const ofSite = `d.career_site_id = ${siteId}`
  const waiting = `select min(d.published_at) from job_distributions d where ${ofSite} and d.published_at > ${moment}`
  const change = `least((select min(change) from others), (select min(change) from same_job), (${waiting}))`
  return {
    pool: 'read',
    name: 'career posting',
    values: parameters.values,
    ...versionedSelect(
      careerTables,
      `(select state from own),
       ${rowsJson(postingColumns, `${from} where d.id = (select id from own) and (select state from own) = 'visible'`)},
       (select coalesce(json_agg(json_build_array(locale, slug) order by locale, slug), '[]')::text from same_job where visible),
       (select coalesce(json_agg(cells), '[]')::text from others),
       (select ${milliseconds(change)})`,
      {
        queries: `own as materialized (
            select d.id, d.job_posting_id, ${state} as state from ${from}
            where ${ofSite} and d.locale = ${localeParameter} and d.slug = ${slugParameter}),
          same_job as materialized (
            select d.locale, d.slug, ${isVisible(moment)} as visible,
              least(case when starts_at > ${moment} then starts_at end, case when ends_at > ${moment} then ends_at end) as change
            from ${from} where ${ofSite} and d.job_posting_id = (select job_posting_id from own) and ${isPublished}),
          others as materialized (
            select json_build_array(${summaryColumns}) as cells, ends_at as change
            from ${postingsFrom(site, parameters, newest)}
            where ${isVisible(moment)} and d.job_posting_id is distinct from (select job_posting_id from own)
            order by posted_at desc nulls last, d.id desc limit ${maxOthers})`,
      },
    ),
  }
}

export const readJobPosting = async (
  reader: Runner,
  site: Site,
  { locale, slug, moment }: { locale: string; slug: string; moment: Moment },
): Promise<Versioned<PostingRead>> => {
  const [row] = await reader.run(postingStatement(site, locale, slug, moment))
  const [version, state, postings, alternates, others, expiry] = row as readonly [
    string,
    Cell,
    string,
    string,
    string,
    Cell,
  ]
  const [cells] = JSON.parse(postings) as PostingCells[]
  return {
    version,
    value: {
      state: (state ?? 'unknown') as PostingState,
      posting: cells === undefined ? undefined : readPosting(cells),
      alternates: (JSON.parse(alternates) as [string, string][]).map(([otherLocale, otherSlug]) => ({
        locale: otherLocale,
        slug: otherSlug,
      })),
      others: (JSON.parse(others) as SummaryCells[]).map(readSummary),
      expiresAt: expiryOf(expiry),
    },
  }
}
