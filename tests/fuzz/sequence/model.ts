/** A model of the records that a sequence has created. It predicts which records a filtered list must return. */
import type { Field, Resource } from '../../contract/contract.ts'
import { creatable, markerFieldOf, uniqueFieldOf, writableFieldsOf } from '../../contract/contract.ts'
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
      const parentField = parentFieldOf(resource)
      if (parentField?.to !== undefined) {
        const { field, to } = parentField
        const parent = pick(to, index)
        if (parent === undefined) return undefined
        return {
          query: `${field}=${parent.id}`,
          records: recordsOf(resource).filter((each) => each[field] === parent.id),
        }
      }
      const filter = uniqueFieldOf(resource) === undefined ? markerFieldOf(resource) : 'q'
      return { query: `${filter}=${percentEncode(marker)}`, records: recordsOf(resource) }
    },
  }
}

/** The required reference to records that sequences create. Without such a record, a step is skipped. */
const parentFieldOf = (resource: Resource): Field | undefined =>
  writableFieldsOf(resource).find(
    ({ create, to }) => create === 'required' && to !== undefined && creatable.includes(to),
  )

interface SequenceContext extends Pick<Model, 'marker' | 'pick' | 'recordsOf'> {
  readonly index: number
  readonly pools: Pools
}

/** The fields that tie a record to its sequence: the marker and foreign keys. The other required fields have samples. */
const sequenceFields = (resource: Resource, context: SequenceContext): Body | undefined => {
  const { marker, recordsOf } = context
  const markerField = markerFieldOf(resource)
  const body: Record<string, unknown> = {}
  for (const { field, create, to, uniqueWithin, within, sample } of writableFieldsOf(resource)) {
    if (uniqueWithin !== undefined) body[field] = `${marker}-${recordsOf(resource).length}`
    else if (field === markerField) body[field] = marker
    else if (to !== undefined && within === undefined) body[field] = referencedId(to, context)
    else if (create === 'required') body[field] = sample
    if (create === 'required' && body[field] === undefined) return undefined
  }
  for (const { field, to, within } of writableFieldsOf(resource)) {
    if (to !== undefined && within !== undefined)
      body[field] = recordsOf(to).find((record) => record[within] === body[within])?.id ?? null
  }
  return body
}

/** The id of a record of the sequence or, for resources without a create operation, of an existing record. */
const referencedId = (to: Resource, { index, pools, pick }: SequenceContext): number | undefined => {
  if (creatable.includes(to)) return pick(to, index)?.id
  const existing = pools.recordsOf(to)
  return existing[index % existing.length]?.id
}

/** Values for all optional fields that `fixedFields` does not contain. */
const optionalFields = (resource: Resource, values: StepValues, fixedFields: Body): Body => {
  const body: Record<string, unknown> = {}
  for (const { field, kind, notBlank, maxLength } of writableFieldsOf(resource)) {
    if (field in fixedFields || notBlank) continue
    if (kind === 'json') body[field] = values.text == null ? values.text : JSON.stringify(values.text)
    else if (maxLength !== undefined) body[field] = values.text
    else if (kind === 'number' || kind === 'date' || kind === 'timestamp') body[field] = values[kind]
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}
