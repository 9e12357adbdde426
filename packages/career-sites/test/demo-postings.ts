/** The postings of a demo company, made without a database: loading one of size medium would take a minute. */
import { makeCompany } from '../../demo-data/src/company/company.ts'
import { planOf } from '../../demo-data/src/seed.ts'
import type { Posting, Site } from '../src/postings/posting.ts'
import { parseBrandSettings } from '../src/postings/settings.ts'

type Row = Readonly<Record<string, string | undefined>>

export interface DemoPosting {
  readonly site: Site
  readonly posting: Posting
}

/** One posting of each job, on its site, in one of its locales, under its brand. Size medium has 1,000 jobs. */
export const demoPostings = (size: 'small' | 'medium'): readonly DemoPosting[] => {
  const company = makeCompany(planOf({ size }))
  const rowsOf = (table: string): readonly Row[] => {
    const { columns = [], chunks = () => [] } = company.find(({ name }) => name === table) ?? {}
    const text = [...chunks()].map((chunk) => chunk.bytes.toString()).join('')
    return text
      .trimEnd()
      .split('\n')
      .map((line) => {
        const cells = line.split('\t').map((cell) => (cell === '\\N' ? undefined : unescapeCopy(cell)))
        return Object.fromEntries(columns.map((name, index) => [name, cells[index]]))
      })
  }
  const brands = new Map(
    rowsOf('recruitment_brands').map((row) => {
      const { settings } = parseBrandSettings(row.settings_json)
      return [String(row.id), { name: String(row.name), logoUrl: row.logo_url, settings }] as const
    }),
  )
  const sites = new Map(rowsOf('career_sites').map((row) => [row.id, siteOf(row, brands)]))
  const departments = new Map(rowsOf('departments').map(({ id, name }) => [id, name]))
  const distributions = Map.groupBy(rowsOf('job_distributions'), (row) => row.job_posting_id)
  return rowsOf('job_openings').map((job, index) => {
    const ofJob = distributions.get(job.id) ?? []
    const distribution = ofJob[index % ofJob.length] ?? {}
    const site = sites.get(distribution.career_site_id) as Site
    return { site, posting: postingOf(job, distribution, departments.get(job.dept_id)) }
  })
}

const unescapeCopy = (cell: string): string =>
  cell.replaceAll(/\\(.)/g, (_, character: string) => ({ n: '\n', t: '\t', r: '\r' })[character] ?? character)

const siteOf = (row: Row, brands: Site['brands']): Site => ({
  id: String(row.id),
  slug: String(row.slug),
  name: String(row.name),
  headline: row.headline,
  introduction: row.introduction,
  brandColor: row.brand_color,
  accentColor: row.accent_color,
  logoUrl: row.logo_url,
  privacyUrl: row.privacy_policy_url,
  customDomain: row.custom_domain,
  locales: ['en'],
  brands,
})

const postingOf = (job: Row, distribution: Row, department: string | undefined): Posting => {
  // A draft has no date yet.
  const posted = new Date(distribution.published_at ?? job.opened_on ?? '2026-01-05')
  return {
    locale: String(distribution.locale),
    slug: String(distribution.slug),
    title: String(job.title),
    brandId: distribution.brand_id,
    department,
    location: job.location,
    remotePolicy: job.remote_policy,
    employmentType: job.employment_type,
    payMin: Number(job.comp_min),
    payMax: Number(job.comp_max),
    currency: job.currency,
    postedMs: posted.getTime(),
    postedAt: posted.toISOString(),
    endsAt: undefined,
    jobId: String(job.id),
    code: job.code,
    description: job.description,
    requirements: job.requirements,
  }
}
