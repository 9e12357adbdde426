/** The postings of a site with all their texts, and the URLs of a sitemap. */

import type { SitemapEntry } from '../../career-sites/feeds.ts'
import type { Posting, Site } from '../../career-sites/posting.ts'
import type { Runner } from '../../postgres/connection/database.ts'
import { Parameters, versionedSelect } from '../../postgres/sql/statement.ts'
import type { ListWindow } from './list.ts'
import type { Moment, PostingCells } from './postings.ts'
import {
  expiryOf,
  isPublished,
  isVisible,
  milliseconds,
  nextChange,
  postingColumns,
  postingsFrom,
  readPosting,
} from './postings.ts'
import type { Cell, Versioned } from './site.ts'
import { careerTables } from './site.ts'

export interface FeedRead {
  readonly total: number
  readonly postings: readonly Posting[]
  readonly expiresAt: number | undefined
}

/** One page of the visible postings in a locale, newest first. */
export const readFeed = async (
  reader: Runner,
  site: Site,
  locale: string,
  { window, moment }: { window: ListWindow; moment: Moment },
): Promise<Versioned<FeedRead>> => {
  const parameters = new Parameters()
  const now = `to_timestamp(${parameters.add(moment.now)}::float8 / 1000)`
  const from = postingsFrom(site, parameters)
  const ofLocale = `d.career_site_id = ${parameters.add(site.id)} and d.locale = ${parameters.add(locale)}`
  const order = 'posted_at desc nulls last, d.id desc'
  const [row] = await reader.run({
    pool: 'list',
    summary: 'career feed',
    values: parameters.values,
    ...versionedSelect(
      careerTables,
      `(select count(*) from ${from} where ${ofLocale} and ${isVisible(now)}),
       (select ${milliseconds(nextChange(now))} from ${from} where ${ofLocale} and ${isPublished}),
       (select coalesce(json_agg(cells), '[]')::text from (
          select json_build_array(${postingColumns}) as cells from ${from} where ${ofLocale} and ${isVisible(now)}
          order by ${order} limit ${window.limit} offset ${window.offset}) page)`,
    ),
  })
  const [version, total, expiry, postings] = row as readonly [string, string | number, Cell, string]
  return {
    version,
    value: {
      total: Number(total),
      expiresAt: expiryOf(expiry),
      postings: (JSON.parse(postings) as PostingCells[]).map(readPosting),
    },
  }
}

/** Rows of one statement of an export. Bounds the memory of a response and the time between two of its parts. */
const batchSize = 250

/** All visible postings of the site in all locales, in batches: each is current when it is read. */
export async function* readAllPostings(
  reader: Runner,
  site: Site,
  moment: Moment,
): AsyncGenerator<readonly Posting[], void, void> {
  let after = '0'
  for (;;) {
    const parameters = new Parameters()
    const now = `to_timestamp(${parameters.add(moment.now)}::float8 / 1000)`
    const from = postingsFrom(site, parameters)
    const where = `d.career_site_id = ${parameters.add(site.id)} and d.id > ${parameters.add(after)} and ${isVisible(now)}`
    const [row] = await reader.run({
      pool: 'list',
      summary: 'career export',
      values: parameters.values,
      ...versionedSelect(
        careerTables,
        `(select coalesce(json_agg(cells), '[]')::text from (
            select json_build_array(d.id::text, json_build_array(${postingColumns})) as cells from ${from} where ${where}
            order by d.id limit ${batchSize}) page)`,
      ),
    })
    const rows = JSON.parse((row as readonly [string, string])[1]) as (readonly [string, PostingCells])[]
    if (rows.length > 0) yield rows.map(([, cells]) => readPosting(cells))
    if (rows.length < batchSize) return
    after = rows.at(-1)?.[0] ?? after
  }
}

export interface SitemapRead {
  readonly total: number
  readonly entries: readonly SitemapEntry[]
  readonly expiresAt: number | undefined
}

/** The visible postings of the site in all locales, in the order of their ids. */
export const readSitemap = async (
  reader: Runner,
  site: Site,
  { window, moment }: { window: ListWindow; moment: Moment },
): Promise<Versioned<SitemapRead>> => {
  const parameters = new Parameters()
  const now = `to_timestamp(${parameters.add(moment.now)}::float8 / 1000)`
  const from = postingsFrom(site, parameters)
  const ofSite = `d.career_site_id = ${parameters.add(site.id)}`
  const [row] = await reader.run({
    pool: 'list',
    summary: 'career sitemap',
    values: parameters.values,
    ...versionedSelect(
      careerTables,
      `(select count(*) from ${from} where ${ofSite} and ${isVisible(now)}),
       (select ${milliseconds(nextChange(now))} from ${from} where ${ofSite} and ${isPublished}),
       (select coalesce(json_agg(cells), '[]')::text from (
          select json_build_array(d.locale, d.slug, to_char(posted_at at time zone 'UTC', 'YYYY-MM-DD')) as cells
          from ${from} where ${ofSite} and ${isVisible(now)}
          order by d.id limit ${window.limit} offset ${window.offset}) page)`,
    ),
  })
  const [version, total, expiry, entries] = row as readonly [string, string | number, Cell, string]
  return {
    version,
    value: {
      total: Number(total),
      expiresAt: expiryOf(expiry),
      entries: (JSON.parse(entries) as [string, string, Cell][]).map(([locale, slug, modified]) => ({
        locale,
        slug,
        modified: modified !== null && /^\d{4}-\d{2}-\d{2}$/.test(modified) ? modified : undefined,
      })),
    },
  }
}
