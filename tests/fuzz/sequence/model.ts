/** A model of the records that a sequence has created. It predicts which records a filtered list must return. */
import type { Resource } from '../../support/field-table.ts'
import { creatable, writableFieldsOf } from '../../support/field-table.ts'
import { neverBlank } from '../../support/rule-table.ts'
import type { PoolRecord, Pools } from '../pools.ts'
import type { Body } from '../record-model.ts'
import { percentEncode, uniqueText } from '../request.ts'
import type { StepValues } from './step.ts'

export interface Model {
  /** Unique string that every record of the sequence contains. */
  readonly marker: string
  recordsOf(resource: Resource): readonly PoolRecord[]
  add(resource: Resource, record: PoolRecord): void
  /** Chooses a record of the sequence by number. Undefined if the sequence has not created one yet. */
  pick(resource: Resource, pick: number): PoolRecord | undefined
  /** A body that the service must accept. Undefined while the sequence has no record that it must refer to. */
  bodyFor(resource: Resource, pick: number, values: StepValues): Body | undefined
  /** A query that matches only records of this sequence, with the records that it must return. */
  filterFor(resource: Resource, pick: number): { query: string; records: readonly PoolRecord[] } | undefined
}

export const openModel = (pools: Pools): Model => {
  const marker = uniqueText()
  const createdRecords = new Map<Resource, PoolRecord[]>(creatable.map((resource) => [resource, []]))
  const recordsOf = (resource: Resource): readonly PoolRecord[] => createdRecords.get(resource) ?? []
  const pick = (resource: Resource, index: number): PoolRecord | undefined => {
    const records = recordsOf(resource)
    return records[index % Math.max(1, records.length)]
  }
  const filterByReference = (resource: Resource, field: string, referenced: PoolRecord | undefined) =>
    referenced === undefined
      ? undefined
      : {
          query: `${field}=${referenced.id}`,
          records: recordsOf(resource).filter((record) => record[field] === referenced.id),
        }
  const filterByMarker = (resource: Resource, field: string) => ({
    query: `${field}=${percentEncode(marker)}`,
    records: recordsOf(resource),
  })
  return {
    marker,
    recordsOf,
    pick,
    add: (resource, record) => createdRecords.get(resource)?.push(record),
    bodyFor(resource, index, values) {
      const fixedFields = sequenceFields(resource, { marker, index, pools, pick, recordsOf })
      return fixedFields === undefined
        ? undefined
        : { ...optionalFields(resource, values, fixedFields), ...fixedFields }
    },
    filterFor(resource, index) {
      switch (resource) {
        case 'leave':
          return filterByMarker(resource, 'leave_type')
        case 'applications':
          return filterByMarker(resource, 'stage')
        case 'brands':
        case 'organization-teams':
          return filterByReference(resource, 'organization_id', pick('organizations', index))
        case 'job-distributions':
          return filterByReference(resource, 'career_site_id', pick('career-sites', index))
        default:
          return filterByMarker(resource, 'q')
      }
    },
  }
}

interface SequenceContext extends Pick<Model, 'marker' | 'pick' | 'recordsOf'> {
  readonly index: number
  readonly pools: Pools
}

/** The fields that tie a record to its sequence: the marker, the slug and foreign keys. */
const sequenceFields = (resource: Resource, context: SequenceContext): Body | undefined => {
  const { marker, index, pools, pick, recordsOf } = context
  const slug = `${marker}-${recordsOf(resource).length}`
  const seededId = (target: Resource) => pools.recordsOf(target)[index % pools.recordsOf(target).length]?.id
  switch (resource) {
    case 'leave':
      return { employee_id: seededId('employees'), leave_type: marker }
    case 'applications':
      return { candidate_id: seededId('candidates'), job_id: seededId('jobs'), stage: marker }
    case 'brands':
      return withParent(pick('organizations', index), (id) => ({ organization_id: id, name: marker, slug }))
    case 'organization-teams':
      return withParent(pick('organizations', index), (id) => ({
        organization_id: id,
        parent_id: recordsOf(resource).find(({ organization_id }) => organization_id === id)?.id ?? null,
        name: `Team ${marker}`,
      }))
    case 'job-distributions':
      return withParent(pick('career-sites', index), (id) => ({
        job_posting_id: seededId('jobs'),
        career_site_id: id,
        brand_id: pick('brands', index)?.id ?? null,
        slug,
      }))
    default:
      return { name: `Sequence ${marker}`, slug }
  }
}

const withParent = (parent: PoolRecord | undefined, fields: (id: number) => Body): Body | undefined =>
  parent === undefined ? undefined : fields(parent.id)

/** Values for all optional fields that `fixedFields` does not contain. */
const optionalFields = (resource: Resource, values: StepValues, fixedFields: Body): Body => {
  const body: Record<string, unknown> = {}
  for (const { field, kind, create } of writableFieldsOf(resource)) {
    if (field in fixedFields || create === 'required' || neverBlank[resource]?.includes(field)) continue
    if (kind === 'json') body[field] = values.text == null ? values.text : JSON.stringify(values.text)
    else if (kind !== 'integer') body[field] = values[kind]
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}
