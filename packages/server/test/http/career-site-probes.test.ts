/**
 * Plants a value of its own in every personal field of every record, and looks for these values in everything that
 * career sites send, in every mode of reads. A search for such a value must find nothing either.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NamedField } from '@muster/model'
import { resources } from '@muster/model'
import { everyPlace } from '../../../../tests/support/career-sites.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { sendRawRequest } from '../../../../tests/support/http.ts'
import { probeCount } from '../../../../tests/support/probes.ts'
import { pickSome, randomNumbers } from '../../../../tests/support/random.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'

/** `zq` and 32 hexadecimal digits, different for each field of each record. */
const plantedPattern = /zq[\da-f]{32}/i

const personalFields = resources.flatMap((resource) =>
  resource.allFields.filter(({ personal }) => personal).map((field) => ({ ...field, table: resource.table })),
)
const textFields = personalFields.filter(({ kind }) => kind === 'text' || kind === 'url')

const plantedValue = ({ name, kind }: NamedField, table: string): string => {
  switch (kind) {
    case 'number':
      return '77031000 + id % 9'
    case 'date':
      return `date '1907-01-01' + (id % 300)::int`
    default:
      return `'Zq' || md5('${table} ${name} ' || id)`
  }
}

const plantStatements = [...Map.groupBy(personalFields, ({ table }) => table)].map(
  ([table, fields]) =>
    `update ${table} set ${fields.map((field) => `${field.name} = ${plantedValue(field, table)}`).join(', ')}`,
)

const modes = [
  { reads: 'public', headers: {} },
  { reads: 'redacted', headers: {} },
  { reads: 'redacted', headers: { authorization: `Bearer ${token}` } },
  { reads: 'token', headers: {} },
] as const
type Mode = (typeof modes)[number]

/** Only every so many postings are read in the short form. */
const probeStep = process.env.PROBES === 'all' ? 1 : 3

describe('career sites', () => {
  let database: TestDatabase
  const services = new Map<string, RunningService>()
  before(async () => {
    database = await createSeededDatabase()
    for (const { reads } of modes)
      if (!services.has(reads)) services.set(reads, await startService(database.url, { careerSites: true, reads }))
  })
  after(async () => {
    for (const service of services.values()) await service.stop()
    await database.drop()
  })

  interface Row {
    site: string
    domain: string
    locale: string
    slug: string
    job: number
    manager: number
    visible: boolean
  }
  const readRows = (): Promise<Row[]> =>
    database.query<Row>(`
      select s.slug as site, s.custom_domain as domain, d.locale, d.slug, j.id as job, j.hiring_manager_id as manager,
        d.status = 'published' and j.status = 'open' and d.published_at <= now() as visible
      from job_distributions d join job_openings j on j.id = d.job_posting_id
      join career_sites s on s.id = d.career_site_id where s.is_active = 1 order by d.id`)

  /** Every URL of the career sites: host and path. The pages at the domain of a site are the same as below /careers/. */
  const urlsOf = (rows: readonly Row[]): [host: string, path: string][] => {
    const paths = rows.flatMap(({ site, domain, locale, slug }) => [
      ...['/', '/robots.txt', '/sitemap.xml', '/no-such-page'].map((path) => `${domain} ${path}`),
      ...[
        '',
        'jobs.xml',
        'sitemap.xml',
        ...[slug, '', 'rss.xml', 'jobs.json', 'no-such-job', '?page=2'].map((last) => `${locale}/${last}`),
      ].map((path) => `127.0.0.1 /careers/${site}/${path}`),
    ])
    return [...new Set(paths)].map((each) => each.split(' ') as [string, string])
  }

  const send = async ({ reads, headers }: Mode, host: string, path: string) => {
    const origin = `http://127.0.0.1:${services.get(reads)?.port}`
    const response = await sendRawRequest(origin + path, { headers: { host, ...headers } })
    assert.ok([200, 301, 302, 404, 410].includes(response.status), `${path}: ${response.status}`)
    return response
  }

  /** What each URL sends: the status, the headers that are not different each time, and the body. */
  const readAll = async (mode: Mode, urls: readonly (readonly [string, string])[]): Promise<Map<string, string>> => {
    const texts = new Map<string, string>()
    for (const [host, path] of urls) {
      const { status, headers, bytes } = await send(mode, host, path)
      const { date, 'x-request-id': id, ...others } = headers
      const body = bytes.toString().replaceAll(String(id), 'id')
      texts.set(`${host}${path}`, `${status} ${JSON.stringify(Object.entries(others).sort())}\n${body}`)
    }
    return texts
  }

  /** The URLs that send a planted value. */
  const leaksIn = (texts: ReadonlyMap<string, string>): string[] =>
    [...texts].filter(([, text]) => plantedPattern.test(text)).map(([url]) => url)

  it('send no personal value of any record, in any mode of reads', async (context) => {
    const rows = (await readRows()).filter((_, index) => index % probeStep === 0)
    const urls = urlsOf(rows)
    const before = await readAll(modes[0], urls)
    const statuses = Map.groupBy(before.values(), (text) => text.slice(0, 3))
    for (const status of ['200', '302', '404', '410']) assert.ok((statuses.get(status)?.length ?? 0) > 4, status)

    for (const statement of plantStatements) await database.execute(statement)
    const planted = (
      await Promise.all(
        textFields.map(({ name, table }) => database.query<{ value: string }>(`select ${name} as value from ${table}`)),
      )
    ).flatMap((values) => values.map(({ value }) => value))
    assert.ok(new Set(planted).size > 5_000, `only ${new Set(planted).size} values`)
    const wholePattern = new RegExp(`^${plantedPattern.source}$`, 'i')
    assert.deepEqual(
      planted.filter((value) => !wholePattern.test(value)),
      [],
    )
    context.diagnostic(`${planted.length} planted values, ${urls.length} URLs, ${modes.length} modes`)
    for (const [modeIndex, mode] of modes.entries()) {
      // The short form reads all these URLs in one mode, and those of some postings in each of the other modes.
      const sample = rows.filter((_, index) => modeIndex === 0 || index % probeStep === 0)
      const texts = await readAll(mode, urlsOf(sample))
      assert.deepEqual(leaksIn(texts), [], mode.reads)
      // The same bytes as before, so nothing else depends on a personal value, or on the mode.
      assert.deepEqual(
        [...texts].filter(([url, text]) => before.get(url) !== text).map(([url]) => url),
        [],
        mode.reads,
      )
    }

    const lists = [...new Set(rows.filter(({ visible }) => visible).map(({ site, locale }) => `${site}/${locale}`))]
    const probes = pickSome(randomNumbers(1), planted, probeCount(5_000))
    for (const [index, value] of probes.entries()) {
      const mode = modes[index % modes.length] as Mode
      const { status, bytes } = await send(mode, '127.0.0.1', `/careers/${lists[index % lists.length]}/?q=${value}`)
      assert.equal(status, 200)
      assert.doesNotMatch(bytes.toString(), /<h3>/, `${mode.reads}: ${value}`)
    }
  })

  it('would be seen to send the name of a hiring manager if a posting had it', async () => {
    const rows = await readRows()
    const [row] = rows.filter(({ visible, manager }) => visible && manager !== null) as [Row]
    const { site, locale, slug, job } = row
    const [{ name }] = (await database.query(`select last_name as name from employees where id = $1`, [
      row.manager,
    ])) as [{ name: string }]
    assert.match(name, plantedPattern)
    await database.query(`update job_openings set description = description || $2 where id = $1`, [job, name])
    await database.query(`update job_distributions set slug = slug || $2 where job_posting_id = $1`, [
      job,
      name.toLowerCase(),
    ])
    const leaking = `${slug}${name.toLowerCase()}`
    for (const mode of modes) {
      const ofSite = (await readRows()).filter((each) => each.site === site)
      const leaks = leaksIn(await readAll(mode, urlsOf(ofSite)))
      for (const place of [leaking, ...everyPlace]) {
        const path =
          place === 'jobs.xml' || place === 'sitemap.xml' ? place : `${locale}/${place === 'list' ? '' : place}`
        assert.ok(leaks.includes(`127.0.0.1/careers/${site}/${path}`), `${mode.reads}: ${path}`)
      }
      const { bytes } = await send(mode, '127.0.0.1', `/careers/${site}/${locale}/?q=${name}`)
      assert.match(bytes.toString(), /<h3>/)
    }
  })
})
