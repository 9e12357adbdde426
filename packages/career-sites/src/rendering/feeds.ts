/** The postings of a site for programs: RSS 2.0, JSON Feed 1.1, the XML of job boards, and sitemaps. */

import { frameLocaleOf, languageTag } from '../locales/locales.ts'
import { textsIn } from '../locales/texts/texts.ts'
import type { Posting, Site } from '../postings/posting.ts'
import { brandOf } from '../postings/posting.ts'
import type { IndexedPosting } from '../postings/site-postings.ts'
import { dayText } from '../postings/site-postings.ts'
import { parsePlace } from './countries.ts'
import { contractName, formatPay, formatText, ownValue, payOf, workplaceName } from './formats.ts'
import type { Page } from './frame.ts'
import { contextOf, pathOf, publicHeaders } from './frame.ts'
import { escapeMarkup } from './html.ts'

/** Postings in one RSS feed, and on one page of a JSON Feed. */
export const feedSize = 100

/** Where the URLs of a feed begin, with a slash at the end. */
export interface FeedRoot {
  readonly url: string
}

export interface FeedPage {
  /** From 1. */
  readonly page: number
  readonly total: number
  readonly postings: readonly Posting[]
}

const feedHeaders = (type: string): Record<string, string> => ({
  ...publicHeaders,
  'content-type': type,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
})

const element = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `<${name}>${escapeMarkup(text)}</${name}>\n`

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** The texts of a posting as HTML. */
const contentOf = ({ description, requirements }: Posting): string =>
  [description, requirements]
    .flatMap((text) => (text === undefined ? [] : formatText(text)))
    .map(({ text }) => text)
    .join('')

export const renderRss = (site: Site, locale: string, root: FeedRoot, { postings }: FeedPage): Page => {
  const { texts } = contextOf(site, locale)
  const url = root.url + pathOf(locale)
  const items = postings.map((posting) => {
    const link = root.url + pathOf(locale, posting.slug)
    const published = posting.postedAt === undefined ? undefined : new Date(posting.postedAt).toUTCString()
    return `<item>\n${element('title', posting.title)}${element('link', link)}${element('guid', link)}${element('pubDate', published)}${element('category', posting.department)}${element('description', contentOf(posting))}</item>\n`
  })
  const self = `<atom:link href="${escapeMarkup(`${url}rss.xml`)}" rel="self" type="application/rss+xml"/>\n`
  return {
    text: `${declaration}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">\n<channel>\n${element('title', `${texts.jobs} · ${site.name}`)}${element('link', url)}${self}${element('description', site.headline ?? site.name)}${element('language', languageTag(locale)?.toLowerCase())}${items.join('')}</channel>\n</rss>\n`,
    headers: feedHeaders('application/rss+xml; charset=utf-8'),
  }
}

export const renderJsonFeed = (site: Site, locale: string, root: FeedRoot, feed: FeedPage): Page => {
  const { texts } = contextOf(site, locale)
  const { page, total, postings } = feed
  const url = root.url + pathOf(locale)
  const language = languageTag(locale)
  const document = {
    version: 'https://jsonfeed.org/version/1.1',
    title: `${texts.jobs} · ${site.name}`,
    home_page_url: url,
    feed_url: `${url}jobs.json${page === 1 ? '' : `?page=${page}`}`,
    ...(page * feedSize < total ? { next_url: `${url}jobs.json?page=${page + 1}` } : {}),
    ...(language === undefined ? {} : { language }),
    items: postings.map((posting) => feedItem(site, posting, root.url + pathOf(locale, posting.slug))),
  }
  return { text: JSON.stringify(document), headers: feedHeaders('application/feed+json; charset=utf-8') }
}

/** `_job` is an extension as JSON Feed allows it: the values of the page, for programs. */
const feedItem = (site: Site, posting: Posting, url: string): object => {
  const brand = brandOf(site, posting)
  const pay = payOf(posting, brand)
  const { postedAt, department } = posting
  return {
    id: url,
    url,
    title: posting.title,
    content_html: contentOf(posting) || '<p></p>',
    ...(postedAt === undefined ? {} : { date_published: new Date(postedAt).toISOString() }),
    ...(department === undefined ? {} : { tags: [department] }),
    _job: {
      organization: brand?.name ?? site.name,
      reference: posting.code,
      location: posting.location,
      remote_policy: posting.remotePolicy,
      employment_type: posting.employmentType,
      ...(pay === undefined ? {} : { pay }),
      valid_through: posting.endsAt,
    },
  }
}

const jobBoardTypes: Readonly<Record<string, string>> = {
  full_time: 'fulltime',
  part_time: 'parttime',
  contract: 'contract',
  intern: 'internship',
}

export const jobBoardHeaders = feedHeaders('application/xml; charset=utf-8')

/** The beginning of jobs.xml, before its postings. */
export const jobBoardStart = (site: Site, root: FeedRoot): string =>
  `${declaration}<source>\n${element('publisher', site.name)}${element('publisherurl', root.url)}`

export const jobBoardEnd = '</source>\n'

/** One posting in the elements that Indeed defined and most job boards read. */
export const jobBoardEntry = (site: Site, root: FeedRoot, posting: Posting): string => {
  const { locale, slug, remotePolicy, employmentType, postedAt, endsAt } = posting
  const brand = brandOf(site, posting)
  const pay = payOf(posting, brand)
  const place = parsePlace(posting.location)
  const frame = frameLocaleOf(locale)
  const texts = textsIn(frame.language)
  return `<job>\n${[
    element('title', posting.title),
    element('date', postedAt === undefined ? undefined : new Date(postedAt).toUTCString()),
    element('referencenumber', `${posting.jobId}-${locale}`),
    element('requisitionid', posting.code),
    element('url', root.url + pathOf(locale, slug)),
    element('company', brand?.name ?? site.name),
    element('city', place === undefined ? posting.location : place.locality),
    element('country', place?.country),
    element('description', contentOf(posting)),
    element('salary', pay === undefined ? undefined : formatPay(pay, frame)),
    element(
      'jobtype',
      employmentType === undefined
        ? undefined
        : (ownValue(jobBoardTypes, employmentType) ?? contractName(texts, employmentType)),
    ),
    element('category', posting.department),
    element('remotetype', remotePolicy === undefined ? undefined : workplaceName(textsIn('en'), remotePolicy)),
    element('expirationdate', endsAt === undefined ? undefined : new Date(endsAt).toUTCString()),
    element('language', languageTag(locale)),
  ].join('')}</job>\n`
}

/** URLs in one sitemap (sitemaps.org). */
export const maxSitemapUrls = 50_000

type SitemapPosting = Pick<IndexedPosting, 'locale' | 'slug' | 'postedMs'>

const sitemapSpace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** A longer URL is left out: the protocol does not allow it. */
const maxSitemapUrlLength = 2_047

/** URLs in one part: thousands of small strings would take longer than the rendering. */
const urlsPerPart = 32

export const sitemapHeaders = jobBoardHeaders

/** A sitemap has up to 10 MB, so it is rendered in parts. */
export function* renderSitemap(
  site: Site,
  root: FeedRoot,
  postings: readonly SitemapPosting[],
  isFirst: boolean,
): Generator<string> {
  const urlOf = (locale: string, slug: string, modified?: string): string => {
    const url = root.url + pathOf(locale, slug)
    return url.length > maxSitemapUrlLength
      ? ''
      : `<url>\n${element('loc', url)}${element('lastmod', modified)}</url>\n`
  }
  yield `${declaration}<urlset xmlns="${sitemapSpace}">\n`
  if (isFirst) yield site.locales.map((locale) => urlOf(locale, '')).join('')
  for (let start = 0; start < postings.length; start += urlsPerPart)
    yield postings
      .slice(start, start + urlsPerPart)
      .map(({ locale, slug, postedMs }) => urlOf(locale, slug, dayText(postedMs)))
      .join('')
  yield '</urlset>\n'
}

export const renderSitemapIndex = (root: FeedRoot, pages: number): readonly string[] => {
  const sitemaps = Array.from(
    { length: pages },
    (_, index) => `<sitemap>\n${element('loc', `${root.url}sitemap.xml?page=${index + 1}`)}</sitemap>\n`,
  )
  return [`${declaration}<sitemapindex xmlns="${sitemapSpace}">\n`, ...sitemaps, '</sitemapindex>\n']
}

export const renderRobots = (root: FeedRoot): Page => ({
  text: `User-agent: *\nDisallow: /*?*q=\nAllow: /\n\nSitemap: ${root.url}sitemap.xml\n`,
  headers: feedHeaders('text/plain; charset=utf-8'),
})
