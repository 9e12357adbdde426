/** Feeds of career sites: the host in their URLs, and limits on responses that take much memory. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRawRequest } from '../../../../tests/support/http.ts'
import { startInProcess } from '../../../../tests/support/in-process-server.ts'
import type { RunningService, ServiceSettings } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

const paths = ['en/rss.xml', 'en/jobs.json', 'sitemap.xml', 'jobs.xml']

describe('feeds of career sites', () => {
  let database: TestDatabase
  /** 40 postings. Escaped, their texts have 13 MB, which is more than the buffers of a connection hold. */
  before(async () => {
    database = await createTestDatabase()
    await database.execute(
      `insert into career_sites (name, slug, custom_domain) values ('Plain', 'plain', null), ('Own', 'own', 'jobs.own.example');
       insert into job_openings (title, headcount, filled, status, description, requirements)
         select 'Job ' || n, 1, 0, 'open', repeat('<', 20000), repeat('>', 20000) from generate_series(1, 40) n;
       insert into job_distributions (job_posting_id, career_site_id, locale, slug, status, published_at)
         select id, 1, 'en', 'job-' || id, 'published', now() - interval '1 day' from job_openings;
       insert into job_distributions (job_posting_id, career_site_id, locale, slug, status, published_at)
         select 1, 2, 'en', 'first', 'published', now() - interval '1 day'`,
    )
  })
  after(() => database.drop())

  const withService = async (settings: ServiceSettings, use: (service: RunningService) => Promise<void>) => {
    const service = await startService(database.url, { careerSites: true, ...settings })
    try {
      await use(service)
    } finally {
      await service.stop()
    }
  }
  const read = async ({ port }: RunningService, path: string, headers: Record<string, string> = {}) => {
    const response = await sendRawRequest(`http://127.0.0.1:${port}/careers/${path}`, { headers })
    return { headers: response.headers, text: response.bytes.toString() }
  }
  /** Beginnings of the links to postings. */
  const rootsIn = (text: string): string[] => [
    ...new Set([...text.matchAll(/(\w+:\/\/[^<>"]*?\/)en\/(?:job-\d+|first)/g)].map(([, root]) => root as string)),
  ]

  it('with the host of the request are stored by no cache', () =>
    withService({}, async (service) => {
      for (const path of paths)
        for (const host of ['one.example', 'two.example:8080']) {
          const { headers, text } = await read(service, `plain/${path}`, { host })
          assert.deepEqual(rootsIn(text), [`http://${host}/careers/plain/`], path)
          assert.deepEqual([headers['cache-control'], headers.etag], ['no-store', undefined], path)
        }
    }))

  it('use the domain of the site, then MUSTER_PUBLIC_URL, whatever the request says', () =>
    withService({ publicUrl: 'https://hr.example.com/x', trustedProxies: ['127.0.0.1'] }, async (service) => {
      const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
      for (const [site, root] of [
        ['plain', 'https://hr.example.com/x/careers/plain/'],
        ['own', 'https://jobs.own.example/'],
      ] as const)
        for (const path of paths) {
          const response = await read(service, `${site}/${path}`, headers)
          assert.deepEqual(rootsIn(response.text), [root], path)
          assert.equal(
            response.headers['cache-control'],
            'public, max-age=0, s-maxage=1, stale-while-revalidate=10',
            path,
          )
          assert.ok(!response.text.includes('evil'), path)
        }
    }))

  it('ignore X-Forwarded-Host, and accept only http and https as X-Forwarded-Proto', () =>
    withService({ trustedProxies: ['127.0.0.1'] }, async (service) => {
      for (const [sent, protocol] of [
        ['https', 'https'],
        ['http', 'http'],
        ['javascript', 'http'],
        ['HTTPS://evil.example/', 'http'],
      ] as const) {
        const headers = { host: 'one.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': sent }
        const { text } = await read(service, 'plain/sitemap.xml', headers)
        assert.deepEqual(rootsIn(text), [`${protocol}://one.example/careers/plain/`], sent)
      }
    }))

  it('and pages are cached once, whatever parameters and escapes their URL has', async () => {
    const service = await startInProcess({ ...database.env, MUSTER_CAREER_SITES: 'on' })
    await service.ready
    const domain = { host: 'jobs.own.example' }
    /** The first spelling is the canonical one. */
    const spellings: readonly (readonly string[])[] = [
      ['en/rss.xml', 'en/rss.xml?x=1', 'en/rss.xml?page=2', '%65n/rss.xml', 'en/rss.xml/'],
      ['en/jobs.json', 'en/jobs.json?x=1', 'en/jobs.json?page=1', 'en/jobs.json?page=x'],
      ['en/jobs.json?page=2', 'en/jobs.json?page=2&x=1', 'en/jobs.json?page=1&page=02', 'en/jobs.json?p%61ge=2'],
      ['sitemap.xml', 'sitemap.xml?x=1', 'sitemap.xml?x=2'],
      ['sitemap.xml?page=1', 'sitemap.xml?page=01', 'sitemap.xml?page=x'],
      ['en/', 'en/?x=1', 'en/?q=&department=&page=1'],
      ['en/?q=job', 'en/?q=+job+', 'en/?remote=&q=job', 'en/?q=j%6Fb&x=1'],
      ['en/first', 'en/first?x=1', 'en/first?q=job'],
    ]
    try {
      for (const [root, headers] of [
        ['/careers/own/', {}],
        ['/', domain],
      ] as const)
        for (const [canonical = '', ...others] of spellings) {
          const get = async (path: string) => {
            const response = await sendRawRequest(service.origin + root + path, { headers })
            assert.equal(response.status, 200, path)
            return response.bytes.toString()
          }
          // A page with parameters is stored at its second request.
          const text = await get(canonical)
          assert.equal(await get(canonical), text)
          const reported = service.output.length
          for (const path of others) assert.equal(await get(path), text, path)
          assert.doesNotMatch(service.output.slice(reported), /"cache":"(?!hit)/, canonical)
          assert.equal(service.output.slice(reported).match(/"cache":"hit"/g)?.length, others.length, canonical)
        }
    } finally {
      await service.stop()
    }
  })

  it('refuse a host that is longer than a name can be', () =>
    withService({}, async ({ port }) => {
      for (const [length, status] of [
        [253, 200],
        [300, 400],
      ] as const) {
        const headers = { host: 'a'.repeat(length) }
        const response = await sendRawRequest(`http://127.0.0.1:${port}/careers/plain/en/rss.xml`, { headers })
        assert.equal(response.status, status)
      }
    }))

  /** Starts a request to jobs.xml and reads only the headers of its response. */
  const startReading = async ({ port }: RunningService, localAddress: string): Promise<IncomingMessage> => {
    const clientRequest = request({ host: '127.0.0.1', port, path: '/careers/plain/jobs.xml', localAddress }).end()
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
    return response.pause()
  }

  it('jobs.xml has two responses per client and three per process at a time', () =>
    withService({}, async (service) => {
      const responses: IncomingMessage[] = []
      const statusAt = async (localAddress: string): Promise<number | undefined> => {
        const response = await startReading(service, localAddress)
        responses.push(response)
        return response.statusCode
      }
      try {
        assert.deepEqual([await statusAt('127.0.0.1'), await statusAt('127.0.0.1')], [200, 200])
        assert.equal(await statusAt('127.0.0.1'), 503)
        assert.equal(await statusAt('127.0.0.2'), 200)
        assert.equal(await statusAt('127.0.0.3'), 503)
        responses[0]?.destroy()
        await waitUntil('a slot is free again', async () => (await statusAt('127.0.0.3')) === 200)
      } finally {
        for (const response of responses) response.destroy()
      }
    }))

  it('jobs.xml contains every posting once, although its texts are read in several parts', () =>
    withService({}, async (service) => {
      const { text } = await read(service, 'plain/jobs.xml')
      const titles = [...text.matchAll(/<title>(Job \d+)<\/title>/g)].map(([, title]) => title)
      assert.equal(new Set(titles).size, 40)
      assert.equal(titles.length, 40)
      assert.equal(text.split('&amp;lt;'.repeat(20_000)).length, 41)
    }))
})
