/** Feeds and sitemaps, read by other programs: feedsmith for RSS and JSON Feed, libxml2 with schemas for the rest. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseJsonFeed, parseRssFeed } from 'feedsmith'
import type { Posting, Site } from '../src/postings/posting.ts'
import {
  jobBoardEnd,
  jobBoardEntry,
  jobBoardStart,
  renderJsonFeed,
  renderRss,
  renderSitemap,
  renderSitemapIndex,
} from '../src/rendering/feeds.ts'
import type { DemoPosting } from './demo-postings.ts'
import { demoPostings } from './demo-postings.ts'
import { posting, site } from './samples.ts'
import { parseJobBoard, parseSitemap, textsAt } from './schemas/validate.ts'

const root = { url: 'https://jobs.planners.example/' }

/** Postings whose texts would break a feed that does not escape them. */
const oddTexts = [
  ']]></title></description></item>&amp;<script>alert(1)</script>',
  '"\'<!-- -->&#0; &undefined; 100% <b>',
  'ctrl \u0001\u000b\u001f \ud800 \uffff end',
  '日本語 😀 עברית',
  'constructor',
  '__proto__',
]
const oddPostings: readonly Posting[] = [
  ...oddTexts.map((text, index) => ({
    ...posting,
    slug: `${text}/${index}`,
    title: text,
    department: text,
    location: text,
    remotePolicy: text,
    employmentType: text,
    code: text,
    description: text,
    requirements: `- ${text}`,
    jobId: String(index),
  })),
  {
    ...posting,
    jobId: '100',
    slug: 'nothing',
    brandId: undefined,
    department: undefined,
    location: undefined,
    remotePolicy: undefined,
    employmentType: undefined,
    payMin: undefined,
    payMax: undefined,
    currency: undefined,
    postedAt: undefined,
    code: undefined,
    description: undefined,
    requirements: undefined,
  },
  { ...posting, jobId: '101', slug: 'ends', endsAt: '2026-12-01T00:00:00.000Z' },
]

/** The text as a program reads it from XML, which does not allow every character. */
const inXml = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML does not allow
  text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')

const urlOf = ({ locale, slug }: Posting): string =>
  `${root.url}${encodeURIComponent(locale)}/${encodeURIComponent(slug.toWellFormed())}`

const pageOf = (postings: readonly Posting[]) => ({ page: 1, total: postings.length, postings })

const renderJobBoard = (ofSite: Site, postings: readonly Posting[]): string =>
  jobBoardStart(ofSite, root) + postings.map((each) => jobBoardEntry(ofSite, root, each)).join('') + jobBoardEnd

describe('a feed', () => {
  it('has in RSS what the postings have, whatever their texts are', () => {
    const { text } = renderRss(site, 'de', root, pageOf(oddPostings))
    const feed = parseRssFeed(text)
    assert.equal(feed.title, 'Offene Stellen · Planners & Sons')
    assert.deepEqual([feed.link, feed.description, feed.language], [`${root.url}de/`, 'Come in', 'de'])
    assert.deepEqual(feed.atom?.links, [{ href: `${root.url}de/rss.xml`, rel: 'self', type: 'application/rss+xml' }])
    assert.equal(feed.items?.length, oddPostings.length)
    for (const [index, item] of (feed.items ?? []).entries()) {
      const expected = oddPostings[index] as Posting
      assert.deepEqual(
        [item.title, item.link, item.guid?.value, item.categories?.[0]?.name],
        [
          inXml(expected.title),
          urlOf(expected),
          urlOf(expected),
          expected.department === undefined ? undefined : inXml(expected.department),
        ],
      )
      assert.equal(
        item.pubDate,
        expected.postedAt === undefined ? undefined : new Date(expected.postedAt).toUTCString(),
      )
      // The description is HTML, in which the texts of the record are only text.
      assert.doesNotMatch(item.description ?? '', /<(?!\/?(?:p|ul|ol|li|br)\b)/)
    }
  })

  it('has in JSON what the postings have, with a link to the next page', () => {
    const { text } = renderJsonFeed(site, 'de', root, { page: 2, total: 250, postings: oddPostings })
    const feed = parseJsonFeed(JSON.parse(text))
    assert.deepEqual(
      [feed.title, feed.home_page_url, feed.feed_url, feed.next_url, feed.language],
      [
        'Offene Stellen · Planners & Sons',
        `${root.url}de/`,
        `${root.url}de/jobs.json?page=2`,
        `${root.url}de/jobs.json?page=3`,
        'de',
      ],
    )
    assert.deepEqual(
      feed.items?.map(({ id, url, title, tags }) => [id, url, title, tags]),
      oddPostings.map((each) => [
        urlOf(each),
        urlOf(each),
        each.title,
        each.department === undefined ? undefined : [each.department],
      ]),
    )
    for (const item of feed.items ?? []) assert.doesNotMatch(item.content_html ?? '', /<(?!\/?(?:p|ul|ol|li|br)\b)/)
    const last = renderJsonFeed(site, 'de', root, { page: 2, total: 200, postings: oddPostings })
    assert.equal(parseJsonFeed(JSON.parse(last.text)).next_url, undefined)
  })

  it('has the elements of job boards, whatever the texts of the postings are', () => {
    const document = parseJobBoard(renderJobBoard(site, oddPostings))
    assert.deepEqual(textsAt(document, '/source/publisher'), [site.name])
    assert.deepEqual(textsAt(document, '/source/job/url'), oddPostings.map(urlOf))
    assert.deepEqual(
      textsAt(document, '/source/job/title'),
      oddPostings.map(({ title }) => inXml(title)),
    )
    assert.deepEqual(textsAt(document, '/source/job/jobtype'), [...oddTexts.map(inXml), 'fulltime'])
    assert.deepEqual(textsAt(document, '/source/job/expirationdate'), ['Tue, 01 Dec 2026 00:00:00 GMT'])
  })

  it('is well formed for all jobs of a demo company', () => {
    const bySite = Map.groupBy(demoPostings('small'), ({ site: { slug } }) => slug)
    assert.ok(bySite.size > 4)
    for (const entries of bySite.values()) {
      const ofSite = (entries[0] as DemoPosting).site
      const postings = entries.map(({ posting: each }) => each)
      const titles = postings.map(({ title }) => title)
      const board = parseJobBoard(renderJobBoard(ofSite, postings))
      assert.deepEqual(textsAt(board, '/source/job/title'), titles)
      assert.equal(textsAt(board, '/source/job/country').length, titles.length)
      for (const [locale, inLocale] of Map.groupBy(postings, (each) => each.locale)) {
        const page = pageOf(inLocale)
        const rss = parseRssFeed(renderRss(ofSite, locale, root, page).text)
        const json = parseJsonFeed(JSON.parse(renderJsonFeed(ofSite, locale, root, page).text))
        assert.deepEqual([rss.language, json.language], [locale.toLowerCase(), locale])
        for (const { items } of [rss, json])
          assert.deepEqual(
            items?.map(({ title }) => title),
            inLocale.map(({ title }) => title),
          )
      }
    }
  })
})

describe('a sitemap', () => {
  it('follows the protocol, whatever the slugs and locales are', async () => {
    const entries = [
      { locale: 'de', slug: 'a', postedMs: Date.parse('2026-09-17') },
      ...oddTexts.map((text) => ({ locale: text, slug: text, postedMs: -Infinity })),
    ]
    const text = [...renderSitemap({ ...site, locales: ['de', ...oddTexts] }, root, entries, true)].join('')
    const document = parseSitemap(text)
    assert.deepEqual(textsAt(document, '/s:urlset/s:url/s:loc'), [
      ...['de', ...oddTexts].map((locale) => `${root.url}${encodeURIComponent(locale.toWellFormed())}/`),
      ...entries.map((entry) => urlOf({ ...posting, ...entry, locale: entry.locale.toWellFormed() })),
    ])
    assert.deepEqual(textsAt(document, '/s:urlset/s:url/s:lastmod'), ['2026-09-17'])
  })

  it('leaves out a URL that is longer than the protocol allows', async () => {
    // As long as the database allows: 200 characters, each of up to 12 when it is percent-encoded.
    const [fits, tooLong] = ['語'.repeat(200), '😀'.repeat(200)]
    const slugs = [fits, tooLong, 'a']
    const entries = slugs.map((slug) => ({ locale: 'de', slug, postedMs: -Infinity }))
    const text = [...renderSitemap({ ...site, locales: ['de', tooLong] }, root, entries, true)].join('')
    assert.deepEqual(textsAt(parseSitemap(text), '//s:loc'), [
      `${root.url}de/`,
      `${root.url}de/${encodeURIComponent(fits)}`,
      `${root.url}de/a`,
    ])
  })

  it('has an index', () => {
    const document = parseSitemap(renderSitemapIndex(root, 3).join(''))
    assert.deepEqual(
      textsAt(document, '/s:sitemapindex/s:sitemap/s:loc'),
      [1, 2, 3].map((page) => `${root.url}sitemap.xml?page=${page}`),
    )
  })
})
