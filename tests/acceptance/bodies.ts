// Builds valid create bodies for the seven resources that can be created, never the same slug twice.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type Resource, writableFieldsOf } from '../support/field-table.ts'
import { type Answer, object, post, type Row } from './http.ts'
import { firstRow, total } from './pages.ts'

/** A word found nowhere else: letters and digits only, so that q and slugs take it as it is. */
export function mark(): string {
  return `zq${randomBytes(8).toString('hex')}`
}

/** Text that neither a database page nor an index entry can compress. */
export function noise(length: number): string {
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length)
}

type Anchors = {
  employee: unknown
  department: unknown
  candidate: unknown
  job: unknown
  organization: unknown
  brand: unknown
  careerSite: unknown
  team: unknown
}

let anchoring: Promise<Anchors> | undefined

/** Records that references may lead to: seeded ones where nothing can be created, own ones elsewhere. */
export function anchors(): Promise<Anchors> {
  anchoring ??= layAnchors()
  return anchoring
}

async function layAnchors(): Promise<Anchors> {
  const organization = await created('organizations', { name: 'Anchor', slug: mark() })
  const brand = await created('brands', { organization_id: organization.id, name: 'Anchor', slug: mark() })
  const careerSite = await created('career-sites', { name: 'Anchor', slug: mark() })
  const team = await created('organization-teams', { organization_id: organization.id, name: 'Anchor' })
  return {
    employee: (await firstRow('employees')).id,
    department: (await firstRow('departments')).id,
    candidate: (await firstRow('candidates')).id,
    job: (await firstRow('jobs')).id,
    organization: organization.id,
    brand: brand.id,
    careerSite: careerSite.id,
    team: team.id,
  }
}

/** A body with every writable field, in declared order. */
export async function fullBody(resource: Resource): Promise<Row> {
  const at = await anchors()
  const bodies: Partial<Record<Resource, Row>> = {
    leave: {
      employee_id: at.employee,
      leave_type: 'Sabbatical',
      from_date: '2031-03-03',
      to_date: '2031-03-05',
      days: 2.5,
      status: 'approved',
      reason: 'Mountains — and a fjord',
      applied_on: '2031-02-01',
    },
    applications: {
      candidate_id: at.candidate,
      job_id: at.job,
      stage: 'interview',
      status: 'rejected',
      applied_on: '2030-11-30',
      stage_entered_on: '2030-12-24',
      rating: 4.5,
      rejection_reason: 'Chose another path',
    },
    organizations: {
      name: 'Polar Works',
      slug: mark(),
      default_locale: 'pt-BR',
      timezone: 'America/Sao_Paulo',
      settings_json: '{ "b": [1, 2.50, "é"],  "a": null }',
    },
    brands: {
      organization_id: at.organization,
      name: 'Polar Careers',
      slug: mark(),
      logo_url: 'https://polar.example/logo.svg',
      favicon_url: 'https://polar.example/favicon.ico',
      primary_color: '#0f172a',
      accent_color: 'teal',
      custom_domain: 'jobs.polar.example',
      settings_json: '[true]',
    },
    'career-sites': {
      name: 'Polar Jobs',
      slug: mark(),
      headline: 'Work where it is cold',
      introduction: 'We keep warm together.',
      brand_color: '#111111',
      accent_color: '#eeeeee',
      logo_url: 'https://polar.example/logo.png',
      privacy_policy_url: 'https://polar.example/privacy',
      is_active: 0,
    },
    'organization-teams': {
      organization_id: at.organization,
      parent_id: at.team,
      name: 'Ice Breakers',
      country: 'NO',
      department_id: at.department,
      settings_json: '"plain"',
    },
    'job-distributions': {
      job_posting_id: at.job,
      career_site_id: at.careerSite,
      brand_id: at.brand,
      locale: 'nb-NO',
      slug: mark(),
      status: 'published',
      published_at: '2031-05-06T07:08:09Z',
    },
  }
  const body = bodies[resource]
  assert.ok(body, `${resource} has no create operation`)
  return body
}

/** A body with the required fields alone. */
export async function minimalBody(resource: Resource): Promise<Row> {
  const full = await fullBody(resource)
  const required = writableFieldsOf(resource).filter((field) => field.create === 'required')
  return Object.fromEntries(required.map(({ field }) => [field, full[field]]))
}

const markedField: Partial<Record<Resource, string>> = {
  leave: 'leave_type',
  applications: 'stage',
  organizations: 'slug',
  brands: 'slug',
  'career-sites': 'slug',
  'organization-teams': 'name',
  'job-distributions': 'slug',
}

/** A minimal body that carries a mark, by which the record can be found or be shown to be absent. */
export async function markedBody(resource: Resource, word: string): Promise<Row> {
  return { ...(await minimalBody(resource)), [markedField[resource] as string]: word }
}

/** How many records carry a mark. */
export function marked(resource: Resource, word: string): Promise<number> {
  return total(resource, { q: word })
}

export function expectCreated(answer: Answer): Row {
  assert.equal(answer.status, 201, answer.text.slice(0, 500))
  return object(answer)
}

export async function created(resource: Resource, body: Row | string): Promise<Row> {
  return expectCreated(await post(`/v1/${resource}`, body))
}

/** JSON text of a body in which one field carries a value written by hand, such as 1e400 or a lone surrogate. */
export function withLiteral(body: Row, field: string, literal: string): string {
  const others = Object.entries(body).filter(([name]) => name !== field)
  const members = others.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return `{${[...members, `${JSON.stringify(field)}:${literal}`].join(',')}}`
}
