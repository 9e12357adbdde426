/** In charge of the small model a sequence is held against: the records it has made, and what a body and a list must be. */
import type { Resource } from '../../acceptance/field-table.ts'
import { creatable, writableFieldsOf } from '../../acceptance/field-table.ts'
import { neverBlank } from '../../acceptance/rule-table.ts'
import type { Pools, Row } from '../pools.ts'
import type { Body } from '../record-model.ts'
import { escaped, uniqueText } from '../request.ts'
import type { StepValues } from './step.ts'

export interface Model {
  /** Stands in a text of every record of the sequence, and of no other record. */
  readonly mark: string
  recordsOf(resource: Resource): readonly Row[]
  add(resource: Resource, record: Row): void
  /** The one that `pick` falls on; undefined where there is none yet. */
  pick(resource: Resource, pick: number): Row | undefined
  /** A body the service must accept; undefined while there is nothing it could refer to. */
  bodyFor(resource: Resource, pick: number, values: StepValues): Body | undefined
  /** A query that finds records of this sequence alone, and those it must find. */
  scopeOf(resource: Resource, pick: number): { query: string; records: readonly Row[] } | undefined
}

export const openModel = (pools: Pools): Model => {
  const mark = uniqueText()
  const made = new Map<Resource, Row[]>(creatable.map((resource) => [resource, []]))
  const recordsOf = (resource: Resource): readonly Row[] => made.get(resource) ?? []
  const pick = (resource: Resource, at: number): Row | undefined => {
    const records = recordsOf(resource)
    return records[at % Math.max(1, records.length)]
  }
  const narrowed = (resource: Resource, field: string, by: Row | undefined) =>
    by === undefined
      ? undefined
      : { query: `${field}=${by.id}`, records: recordsOf(resource).filter((record) => record[field] === by.id) }
  const marked = (resource: Resource, field: string) => ({
    query: `${field}=${escaped(mark)}`,
    records: recordsOf(resource),
  })
  return {
    mark,
    recordsOf,
    pick,
    add: (resource, record) => made.get(resource)?.push(record),
    bodyFor(resource, at, values) {
      const own = ownFields(resource, { mark, at, pools, pick, recordsOf })
      return own === undefined ? undefined : { ...fillings(resource, values, own), ...own }
    },
    scopeOf(resource, at) {
      switch (resource) {
        case 'leave':
          return marked(resource, 'leave_type')
        case 'applications':
          return marked(resource, 'stage')
        case 'brands':
        case 'organization-teams':
          return narrowed(resource, 'organization_id', pick('organizations', at))
        case 'job-distributions':
          return narrowed(resource, 'career_site_id', pick('career-sites', at))
        default:
          return marked(resource, 'q')
      }
    },
  }
}

interface Surroundings extends Pick<Model, 'mark' | 'pick' | 'recordsOf'> {
  readonly at: number
  readonly pools: Pools
}

/** The fields that tie a record to its sequence: its marks, its slug and its references. */
const ownFields = (resource: Resource, surroundings: Surroundings): Body | undefined => {
  const { mark, at, pools, pick, recordsOf } = surroundings
  const slug = `${mark}-${recordsOf(resource).length}`
  const seeded = (other: Resource) => pools.of(other)[at % pools.of(other).length]?.id
  switch (resource) {
    case 'leave':
      return { employee_id: seeded('employees'), leave_type: mark }
    case 'applications':
      return { candidate_id: seeded('candidates'), job_id: seeded('jobs'), stage: mark }
    case 'brands':
      return withParent(pick('organizations', at), (id) => ({ organization_id: id, name: mark, slug }))
    case 'organization-teams':
      return withParent(pick('organizations', at), (id) => ({
        organization_id: id,
        parent_id: recordsOf(resource).find(({ organization_id }) => organization_id === id)?.id ?? null,
        name: `Team ${mark}`,
      }))
    case 'job-distributions':
      return withParent(pick('career-sites', at), (id) => ({
        job_posting_id: seeded('jobs'),
        career_site_id: id,
        brand_id: pick('brands', at)?.id ?? null,
        slug,
      }))
    default:
      return { name: `Sequence ${mark}`, slug }
  }
}

const withParent = (parent: Row | undefined, fields: (id: number) => Body): Body | undefined =>
  parent === undefined ? undefined : fields(parent.id)

/** What the step sends in the other fields. */
const fillings = (resource: Resource, values: StepValues, own: Body): Body => {
  const body: Record<string, unknown> = {}
  for (const { field, kind, create } of writableFieldsOf(resource)) {
    if (field in own || create === 'required' || neverBlank[resource]?.includes(field)) continue
    if (kind === 'json') body[field] = values.text == null ? values.text : JSON.stringify(values.text)
    else if (kind !== 'integer') body[field] = values[kind]
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}
