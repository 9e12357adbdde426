/** What a page shows in which case. How it looks is tested in tests/browser/career-sites.test.ts. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import zlib from 'node:zlib'
import type { Site } from '../src/postings/posting.ts'
import { noFilters } from '../src/postings/posting.ts'
import type { PostingList } from '../src/rendering/pages.ts'
import { renderGone, renderJob, renderList, renderNotFound } from '../src/rendering/pages.ts'
import { noChoices, posting, site } from './samples.ts'

const list: PostingList = { filters: noFilters, choices: noChoices, page: 1, total: 120, postings: [posting] }
const mainOf = (text: string): string => text.slice(text.indexOf('<main'), text.indexOf('</main>'))
const listPage = (change: Partial<PostingList> = {}, of: Site = site, locale = 'en'): string =>
  mainOf(renderList(of, locale, { ...list, ...change }).text)

describe('a list of postings', () => {
  it('shows of each posting the pay, the place, the kind of work and when it was posted', () => {
    const text = listPage()
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
    assert.match(
      text,
      /Planner €45,300 – €59,800 per year Berlin, Germany Hybrid Full-time Planning Posted Sep 17, 2026/,
    )
  })

  it('has the introduction on its first page only, and not in results', () => {
    assert.match(listPage(), /We plan\./)
    for (const change of [{ page: 2 }, { filters: { ...noFilters, words: 'x' } }])
      assert.doesNotMatch(listPage(change), /We plan\./, JSON.stringify(change))
  })

  it('does not repeat the name of the site if there is no headline', () => {
    assert.match(listPage(), /<h1 dir="auto">Come in<\/h1>/)
    assert.match(listPage({}, { ...site, headline: undefined }), /<h1>Open positions<\/h1>/)
  })

  it('shows what it is filtered by, and a link that removes each filter', () => {
    const filters = { ...noFilters, words: '<b>', contract: 'full_time', place: 'Köln' }
    const text = listPage({ filters })
    const chips = [...text.matchAll(/<a class="chip" dir="auto" href="([^"]+)" aria-label="([^"]+)">([^<]+)</g)].map(
      ([, ...parts]) => parts,
    )
    assert.deepEqual(chips, [
      ['./?contract=full_time&amp;place=K%C3%B6ln', 'Remove filter: &lt;b&gt;', '&lt;b&gt;'],
      ['./?q=%3Cb%3E&amp;place=K%C3%B6ln', 'Remove filter: Full-time', 'Full-time'],
      ['./?q=%3Cb%3E&amp;contract=full_time', 'Remove filter: Köln', 'Köln'],
    ])
    assert.match(text, /<a href="\.\/">Clear filters<\/a>/)
    // Words have a field that is always visible; the others are counted.
    assert.match(text, /<summary>Filter \(2\)<\/summary>/)
    assert.doesNotMatch(listPage(), /chip/)
  })

  it('has no filter that nothing can be chosen in', () => {
    assert.doesNotMatch(listPage(), /<details|<select/)
    const choices = { ...noChoices, workplace: ['remote', 'on the moon'] }
    assert.match(
      listPage({ choices }),
      /<label>Workplace<select name="remote"><option value="">Any<\/option><option value="remote">Remote<\/option><option value="on the moon">on the moon<\/option><\/select>/,
    )
  })

  it('says why it is empty, and leads on', () => {
    const empty = { total: 0, postings: [] }
    assert.match(listPage(empty), /There are no open positions at the moment\./)
    assert.doesNotMatch(listPage(empty), /<form|<h2|<nav/)
    const none = listPage({ ...empty, filters: { ...noFilters, words: 'x' } })
    assert.match(none, /<h2>0 open positions<\/h2>/)
    assert.match(none, /No position matches your search\.<\/p><p><a class="button" href="\.\/">All open positions/)
    const beyond = listPage({ page: 9, postings: [] })
    assert.match(beyond, /There is no page at this address\./)
    assert.match(beyond, /rel="prev" href="\.\/\?page=3"/)
    assert.doesNotMatch(beyond, /Page 9 of 3|no open positions at the moment|rel="next"/)
  })
})

describe('the page of a job', () => {
  const job = (of: Site = site, locale = 'en') =>
    mainOf(renderJob(of, locale, { posting, alternates: [], others: [] }).text)

  it('names the host that the button to apply leads to', () => {
    const text = job()
    assert.match(
      text,
      /<a class="button" href="https:\/\/apply\.example\/REQ-11">Apply now<\/a><p>You will hear back within 10 days\./,
    )
    assert.match(
      text,
      /<p class="how">You apply on <a href="https:\/\/apply\.example\/REQ-11">apply\.example<\/a>\.<\/p>/,
    )
  })

  it('names the e-mail address', () => {
    const brand = {
      name: 'B',
      logoUrl: undefined,
      settings: { ...site.brands.get('1')?.settings, applyUrl: undefined, applyEmail: 'jobs@b.example' },
    }
    const text = job({ ...site, brands: new Map([['1', brand]]) } as Site)
    assert.match(
      text,
      /Send your application to <a href="mailto:jobs@b\.example\?subject=Planner%2C%20REQ-11">jobs@b\.example<\/a>\./,
    )
  })

  it('has its button after the text, where a phone keeps it on the screen', () => {
    const text = job()
    assert.ok(text.indexOf('class="apply"') > text.indexOf('class="how"'))
    assert.equal(text.split('class="apply"').length, 2)
  })
})

describe('the languages of a page', () => {
  const headerOf = (locales: string[], current: string) => {
    const { text } = renderList({ ...site, locales }, current, list)
    return text.slice(text.indexOf('<header>'), text.indexOf('</header>'))
  }

  it('are a link if there is one other, and a menu if there are more', () => {
    assert.doesNotMatch(headerOf(['de'], 'de'), /class="langs"/)
    assert.match(
      headerOf(['de', 'en'], 'de'),
      /<nav class="langs" aria-label="Sprachen"><ul><li><a lang="en" hreflang="en" href="\.\.\/en\/">English<\/a><\/li><\/ul>/,
    )
    const menu = headerOf(['sv', 'de', 'en', 'ja'], 'de')
    assert.match(menu, /<details class="langs"><summary aria-label="Sprachen: Deutsch">Deutsch<\/summary>/)
    assert.deepEqual(
      [...menu.matchAll(/hreflang="(\w+)"/g)].map(([, tag]) => tag),
      ['en', 'sv', 'ja'],
    )
  })

  it('do not name a locale that the site does not have: it is the text of a link', () => {
    const { text } = renderNotFound(site, 'Call 555-0100 to apply')
    assert.match(text, /<details class="langs"><summary>Languages<\/summary>/)
    assert.doesNotMatch(text, /555/)
  })

  it('decide its direction', () => {
    assert.match(renderList(site, 'ar', list).text, /<html lang="en" dir="rtl">/)
    assert.match(renderList(site, 'de', list).text, /<html lang="de">/)
  })
})

describe('the page of a closed job', () => {
  it('names the job', () => {
    const { text } = renderGone(site, 'en', { title: 'Cook & <b>', others: [] })
    assert.match(text, /<title>Cook &amp; &lt;b&gt; · This position is no longer open · Planners &amp; Sons<\/title>/)
    assert.match(text, /<h1 dir="auto">Cook &amp; &lt;b&gt;<\/h1><p class="lead">This position is no longer open<\/p>/)
  })

  it('has a sentence that is true without other jobs, too', () => {
    const gone = (others: PostingList['postings']) => mainOf(renderGone(site, 'en', { title: 'Driver', others }).text)
    assert.match(gone([posting]), /Applications are closed\..*<h2>Other open positions<\/h2>.*Planner/s)
    assert.match(gone([]), /Applications are closed\./)
    assert.doesNotMatch(gone([]), /<h2|<p><\/p>/)
  })
})

describe('the size of a page', () => {
  /** What a server sends before it waits for the first acknowledgement (RFC 6928): 10 segments. */
  const maxBytes = 14_000
  const bytesOf = (text: string): number => zlib.brotliCompressSync(text).length
  /** Letters at random, which compress worse than names. */
  const name = (seed: number): string =>
    hash('sha256', String(seed), 'base64')
      .replaceAll(/[^a-z]/gi, '')
      .slice(0, 16)
      .toLowerCase()

  it('is at most 14 kB for 50 postings, 200 places and 100 departments', () => {
    const postings = Array.from({ length: 50 }, (_, index) => ({
      ...posting,
      slug: `${name(index)}-${index}`,
      title: `Senior ${name(index)} (m/w/d)`,
      location: `${name(index)}, Germany`,
      department: name(index + 9),
      payMin: 30_000 + index * 317,
      payMax: 50_000 + index * 419,
    }))
    const choices = {
      department: Array.from({ length: 100 }, (_, index) => name(index + 500)),
      contract: ['contract', 'full_time', 'intern', 'part_time'],
      workplace: ['hybrid', 'onsite', 'remote'],
      place: Array.from({ length: 200 }, (_, index) => `${name(index + 900)}, Germany`),
    }
    const locales = ['de', 'en', 'fr', 'es', 'pt', 'pl', 'nl', 'sv', 'ja']
    const { text } = renderList({ ...site, locales }, 'de', { ...list, postings, choices, total: 18_000 })
    assert.ok(bytesOf(text) <= maxBytes, `${bytesOf(text)} bytes`)
  })
})
