/** A kind of create request for each resource. Each body contains a unique marker by which its record is found again. */
import { resourceAt } from '@muster/model'
import type { Field, Resource } from '../contract/contract.ts'
import { creatable, markerFieldOf, uniqueFieldOf, writableFieldsOf } from '../contract/contract.ts'
import { withClient } from '../support/postgres-cluster.ts'
import type { StoredRecord } from './history.ts'

export interface CreateKind {
  readonly route: string
  /** Name of the field that contains the marker. `q` searches it. */
  readonly field: string
  body(marker: string): Record<string, unknown>
}

const createKind = (resource: Resource): CreateKind => {
  const writable = writableFieldsOf(resource)
  // The database counts the rows of each status and stage, so it would keep a row count for each marker in one of them.
  const marked = uniqueFieldOf(resource) ?? writable.find(({ kind }) => kind === 'text')
  const field = marked?.field ?? markerFieldOf(resource)
  const required = writable.filter(({ create }) => create === 'required')
  const body = Object.fromEntries(required.map((each, index) => [each.field, requiredValue(each, index)]))
  return { route: resource, field, body: (marker) => ({ ...body, [field]: marker }) }
}

/** Foreign keys refer to the base rows, which every test database contains. */
const requiredValue = ({ to, sample }: Field, index: number) => (to === undefined ? sample : 1 + index)

export const createKinds: readonly CreateKind[] = creatable.map(createKind)

/** The create requests for resources without a unique field, where the database itself does not prevent duplicates. */
export const createsWithoutUniqueField = createKinds.filter(({ route }) => uniqueFieldOf(route) === undefined)

const markerPrefix = 'made-'

export const markerOf = (name: string): string => `${markerPrefix}${name}`

/** Reads all records that contain a marker of the run directly from the tables. */
export const readStoredRecords = (url: string, run = ''): Promise<StoredRecord[]> =>
  withClient(url, async (client) => {
    const storedRecords: StoredRecord[] = []
    for (const { route, field } of createKinds) {
      const { rows } = await client.query<{ id: string; mark: string }>(
        `select id, ${field} as mark from ${resourceAt(route).table} where starts_with(${field}, $1)`,
        [markerOf(run)],
      )
      storedRecords.push(...rows.map(({ id, mark }) => ({ route, marker: mark, id: Number(id) })))
    }
    return storedRecords
  })
