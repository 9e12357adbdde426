/** JSON-LD of all postings of a demo company, and of postings that lack something. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeCompany } from '../../../demo-data/src/company/company.ts'
import { planOf } from '../../../demo-data/src/seed.ts'
import { renderJob } from '../../src/career-sites/pages.ts'
import type { Posting, Site } from '../../src/career-sites/posting.ts'
import { jobPostingOf } from '../../src/career-sites/structured-data.ts'
import { posting, site } from './samples.ts'

type Data = Readonly<Record<string, unknown>>

/** Properties of JobPosting as Google documents them; the function says whether the value is well formed. */
const required: Readonly<Record<string, (value: unknown) => boolean>> = {
  '@context': (value) => value === 'https://schema.org/',
  '@type': (value) => value === 'JobPosting',
  title: isText,
  description: (value) => isText(value) && /^<(p|ul)[ >]/.test(value as string),
  datePosted: (value) => /^\d{4}-\d{2}-\d{2}$/.test(String(value)),
  hiringOrganization: (value) => hasType(value, 'Organization') && isText((value as Data).name),
}
const recommended: Readonly<Record<string, (value: unknown) => boolean>> = {
  jobLocation: (value) =>
    hasType(value, 'Place') &&
    hasType((value as Data).address, 'PostalAddress') &&
    /^[A-Z]{2}$/.test(String(((value as Data).address as Data).addressCountry)),
  jobLocationType: (value) => value === 'TELECOMMUTE',
  applicantLocationRequirements: (value) => hasType(value, 'Country') && isText((value as Data).name),
  employmentType: (value) => ['FULL_TIME', 'PART_TIME', 'CONTRACTOR', 'INTERN', 'OTHER'].includes(String(value)),
  baseSalary: (value) => {
    if (!hasType(value, 'MonetaryAmount') || !/^[A-Z]{3}$/.test(String((value as Data).currency))) return false
    const { minValue, maxValue, value: single, unitText } = (value as Data).value as Data
    return unitText === 'YEAR' && (single === undefined ? Number(minValue) < Number(maxValue) : Number(single) > 0)
  },
  identifier: (value) => hasType(value, 'PropertyValue') && isText((value as Data).value),
  validThrough: (value) => !Number.isNaN(Date.parse(String(value))),
  directApply: (value) => value === false,
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function hasType(value: unknown, type: string): boolean {
  return typeof value === 'object' && value !== null && (value as Data)['@type'] === type
}

const checkData = (data: Data): void => {
  const known = { ...required, ...recommended }
  for (const [name, value] of Object.entries(data)) assert.ok(known[name]?.(value), `${name}: ${JSON.stringify(value)}`)
  for (const name of Object.keys(required)) assert.ok(name in data, name)
  assert.ok('jobLocation' in data || ('jobLocationType' in data && 'applicantLocationRequirements' in data))
}

/** The data in the page, and the text that a visitor sees. */
const readPage = (text: string): { data: Data | undefined; visible: string } => {
  const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? []
  const visible = text.slice(text.indexOf('<main'), text.indexOf('</main>'))
  return { data: json === undefined ? undefined : (JSON.parse(json) as Data), visible: plain(visible) }
}

const plain = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')

const contracts: Readonly<Record<string, string>> = {
  FULL_TIME: 'Full-time',
  PART_TIME: 'Part-time',
  CONTRACTOR: 'Contract',
  INTERN: 'Internship',
}

/** Every value of the data is in the text of the English page. */
const checkVisible = (data: Data, visible: string): void => {
  const number = (value: unknown) => Number(value).toLocaleString('en')
  const { minValue, maxValue, value } = ((data.baseSalary as Data)?.value ?? {}) as Data
  const country =
    ((data.jobLocation as Data)?.address as Data)?.addressCountry ?? (data.applicantLocationRequirements as Data)?.name
  const values = [
    data.title,
    (data.hiringOrganization as Data).name,
    plain(String(data.description)).trim(),
    new Date(String(data.datePosted)).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' }),
    ((data.jobLocation as Data)?.address as Data)?.addressLocality,
    new Intl.DisplayNames('en', { type: 'region' }).of(String(country)),
    contracts[String(data.employmentType)],
    data.jobLocationType === undefined ? undefined : 'Remote',
    (data.identifier as Data)?.value,
    ...[minValue, maxValue, value].map((amount) => (amount === undefined ? undefined : number(amount))),
  ].filter((each) => each !== undefined)
  const parts = values.flatMap((each) => (each === values[2] ? String(each).split(/(?<=[.:]) /) : [String(each)]))
  for (const part of parts) assert.ok(visible.includes(part), `${part} is not in: ${visible}`)
}

/** The jobs of a demo company of 1,000 jobs, without a database: loading the whole company would take a minute. */
const demoJobs = (): Readonly<Record<string, string | null>>[] => {
  const company = makeCompany(planOf({ size: 'medium' }))
  const { columns = [], chunks = () => [] } = company.find(({ name }) => name === 'job_openings') ?? {}
  const text = [...chunks()].map((chunk) => chunk.bytes.toString()).join('')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const cells = line.split('\t').map((cell) => (cell === '\\N' ? null : unescapeCopy(cell)))
      return Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? null]))
    })
}

const unescapeCopy = (cell: string): string =>
  cell.replaceAll(/\\(.)/g, (_, character: string) => ({ n: '\n', t: '\t', r: '\r' })[character] ?? character)

describe('the structured data of a job page', () => {
  it('has every required property, and only values that the page shows, for 1,000 demo jobs', () => {
    const rows = demoJobs()
    assert.equal(rows.length, 1_000)
    for (const row of rows) {
      const job: Posting = {
        ...posting,
        locale: 'en',
        jobId: String(row.id),
        code: String(row.code),
        title: String(row.title),
        location: String(row.location),
        remotePolicy: String(row.remote_policy),
        employmentType: String(row.employment_type),
        payMin: Number(row.comp_min),
        payMax: Number(row.comp_max),
        currency: String(row.currency),
        description: String(row.description),
        requirements: String(row.requirements),
        postedAt: row.opened_on ?? '2026-01-05',
      }
      const { data, visible } = readPage(renderJob(site, 'en', { posting: job, alternates: [], others: [] }).text)
      assert.ok(data !== undefined, JSON.stringify(row))
      checkData(data)
      checkVisible(data, visible)
    }
  })

  it('is left out if a required property is missing or nobody can apply, in 200 combinations', () => {
    const without: readonly Partial<Posting>[] = [
      { title: ' ' },
      { description: undefined, requirements: undefined },
      { postedAt: undefined },
      { location: undefined },
      { location: 'Somewhere' },
    ]
    const harmless: readonly Partial<Posting>[] = [
      {},
      { payMin: undefined, payMax: undefined },
      { currency: 'XXQ' },
      { employmentType: undefined },
      { employmentType: 'seasonal' },
      { code: undefined },
      { department: undefined },
      { requirements: undefined },
    ]
    const remote: readonly (string | undefined)[] = ['onsite', 'hybrid', 'remote', undefined]
    const noApply: Site = { ...site, brands: new Map() }
    let leftOut = 0
    let complete = 0
    for (const change of harmless)
      for (const remotePolicy of remote) {
        const job = { ...posting, ...change, remotePolicy }
        const data = jobPostingOf(site, job)
        assert.ok(data !== undefined, JSON.stringify(change))
        checkData(data as Data)
        complete += 1
        assert.equal(jobPostingOf(noApply, job), undefined)
        leftOut += 1
        for (const missing of without) {
          const { data: none } = readPage(
            renderJob(site, 'en', { posting: { ...job, ...missing }, alternates: [], others: [] }).text,
          )
          assert.equal(none, undefined, JSON.stringify([missing, change]))
          leftOut += 1
        }
      }
    assert.deepEqual([complete, leftOut], [32, 192])
  })

  it('has the end of the posting period only if there is one', () => {
    const endsAt = '2026-12-01T00:00:00.000Z'
    assert.equal((jobPostingOf(site, { ...posting, endsAt }) as Data).validThrough, endsAt)
    assert.ok(!('validThrough' in (jobPostingOf(site, posting) ?? {})))
  })

  it('cannot end its script element', () => {
    const hostile = { ...posting, title: '</script><script>alert(1)</script>', code: '<!--' }
    const { text } = renderJob(site, 'en', { posting: hostile, alternates: [], others: [] })
    assert.equal(text.match(/<script/g)?.length, 1)
    assert.equal(readPage(text).data?.title, hostile.title)
  })
})
