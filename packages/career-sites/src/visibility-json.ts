/** The JSON of `career-visibility`: which postings search engines get, and what keeps the others from them. */
import type { HiddenReason } from '@muster/model'
import { basePath, hiddenReasons, maxListedIds, publications } from '@muster/model'
import { minContrast } from './colors.ts'
import { careersPath } from './paths.ts'
import type { HiddenPosting } from './postings/visibility.ts'
import { reasonsOf, siteColorsOf } from './postings/visibility.ts'
import type { HiddenPostings, PostingNames } from './queries/hidden-postings.ts'
import type { LocaleGroups, Overview, SiteOverview, StatusGroup } from './queries/overview.ts'
import { countOf } from './queries/overview.ts'

export interface PageWindow {
  readonly limit: number
  readonly offset: bigint
}

export interface HiddenPostingsQuery extends PageWindow {
  readonly locale: string | undefined
  readonly reason: HiddenReason | undefined
}

/** `offset` may be larger than a JavaScript number. */
const pageJson = (
  data: readonly unknown[],
  { limit, offset }: PageWindow,
  { total, ...others }: { readonly total: number; readonly [name: string]: unknown },
): string => {
  const more = Object.entries(others).map(([name, value]) => `,"${name}":${JSON.stringify(value)}`)
  return `{"data":${JSON.stringify(data)},"meta":{"total":${total},"limit":${limit},"offset":${offset}${more.join('')}}}`
}

export const sitesJson = ({ total, sites }: Overview, window: PageWindow): string =>
  pageJson(sites.map(siteOf), window, { total, min_contrast: minContrast })

const pathOf = (...segments: readonly string[]): string =>
  [careersPath, ...segments.map((segment) => encodeURIComponent(segment.toWellFormed()))].join('/')

const siteOf = (site: SiteOverview) => ({
  id: site.id,
  slug: site.slug,
  name: site.name,
  is_active: site.isActive,
  custom_domain: site.customDomain ?? null,
  path: site.isActive ? `${pathOf(site.slug)}/` : null,
  colors: siteColorsOf(site.brandColor, site.accentColor),
  locales: site.locales.map((groups) => localeOf(site, groups)),
})

const localeOf = (site: SiteOverview, { locale, hasPages, groups }: LocaleGroups) => {
  const byPublication = publications.map((publication) => ({
    publication,
    groups: groups.filter((group) => group.publication === publication),
  }))
  return {
    locale,
    path: site.isActive && hasPages ? `${pathOf(site.slug, locale)}/` : null,
    ...Object.fromEntries(byPublication.map((each) => [each.publication, countOf(each.groups)])),
    links: Object.fromEntries(
      byPublication.flatMap((each) => {
        const link = linkTo(site.id, locale, each.groups)
        return link === undefined ? [] : [[each.publication, link]]
      }),
    ),
  }
}

/**
 * The list of exactly these postings; undefined if there is none or no filter selects them. Filters ignore case, but the
 * statuses of career sites do not, and no filter selects a job without a status.
 */
const linkTo = (siteId: number, locale: string, groups: readonly StatusGroup[]): string | undefined => {
  const isExact = ({ status, jobStatus }: StatusGroup) =>
    isPlain(status) && jobStatus !== null && isPlain(jobStatus) && isPlain(locale)
  const [first] = groups
  if (first === undefined || !groups.every(isExact)) return undefined
  const jobStatuses = new Set(groups.map(({ jobStatus }) => jobStatus))
  const dependsOnJob = first.publication === 'published' || first.publication === 'job_not_open'
  const parameters = new URLSearchParams({
    career_site_id: String(siteId),
    locale,
    status: [...new Set(groups.map(({ status }) => status))].sort().join(','),
    ...(dependsOnJob ? { 'job.status': [...jobStatuses].sort().join(',') } : {}),
  })
  return `${basePath}/v1/job-distributions?${parameters}`
}

const isPlain = (value: string): boolean => /^[\w-]+$/.test(value)

const isOf = (locale: string | undefined) => (posting: HiddenPosting) =>
  locale === undefined || posting.locale === locale

/** The postings of a page, without their names. */
export const hiddenOnPage = ({ hidden }: HiddenPostings, { locale, reason, limit, offset }: HiddenPostingsQuery) => {
  const found = hidden
    .filter(isOf(locale))
    .filter((posting) => reason === undefined || reasonsOf(posting).includes(reason))
  const start = offset > BigInt(found.length) ? found.length : Number(offset)
  return { total: found.length, shown: found.slice(start, start + limit) }
}

export const hiddenJson = (
  postings: HiddenPostings,
  query: HiddenPostingsQuery,
  page: ReturnType<typeof hiddenOnPage> & { readonly names: readonly PostingNames[] },
): string => {
  const { slug, isActive, hidden, totals } = postings
  const { locale } = query
  const names = new Map(page.names.map((each) => [each.id, each]))
  const ofLocale = hidden.filter(isOf(locale))
  const all = locale === undefined ? totals.values().reduce((sum, count) => sum + count, 0) : (totals.get(locale) ?? 0)
  const data = page.shown.flatMap((posting) => {
    const named = names.get(posting.id)
    // It was deleted a moment ago.
    if (named === undefined) return []
    return {
      id: posting.id,
      job_id: named.jobId,
      code: named.code,
      title: named.title,
      locale: posting.locale,
      slug: named.slug,
      path: posting.state === 'visible' ? pathOf(slug, posting.locale, named.slug) : null,
      state: posting.state,
      missing: posting.missing,
    }
  })
  const meta = {
    total: page.total,
    path: isActive ? `${pathOf(slug)}/` : null,
    locales: [...totals.keys()].sort(),
    postings: all,
    listed: all - ofLocale.length,
    reasons: reasonCounts(ofLocale),
  }
  return pageJson(data, query, meta)
}

/** A posting that lacks several properties counts for each of them. */
const reasonCounts = (hidden: readonly HiddenPosting[]) => {
  const idsByReason = new Map<HiddenReason, number[]>(hiddenReasons.map((reason) => [reason, []]))
  for (const posting of hidden) for (const reason of reasonsOf(posting)) idsByReason.get(reason)?.push(posting.id)
  return [...idsByReason]
    .filter(([, ids]) => ids.length > 0)
    .map(([reason, ids]) => ({
      reason,
      count: ids.length,
      link: ids.length > maxListedIds ? null : `${basePath}/v1/job-distributions?id=${ids.join(',')}`,
    }))
}
