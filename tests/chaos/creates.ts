/** The seven kinds of create requests. Each body contains a unique marker by which its record is found again. */
import { resourceAt } from '@muster/model'
import { withClient } from '../support/postgres-cluster.ts'
import type { StoredRecord } from './history.ts'

export interface CreateKind {
  readonly route: string
  /** Name of the field that contains the marker. */
  readonly field: string
  body(marker: string): Record<string, unknown>
}

/** Foreign keys refer to the base rows, which every test database contains. */
export const createKinds: readonly CreateKind[] = [
  {
    route: 'leave',
    field: 'reason',
    body: (marker) => ({ employee_id: 1, leave_type: 'annual', reason: marker }),
  },
  {
    route: 'applications',
    field: 'rejection_reason',
    body: (marker) => ({ candidate_id: 2, job_id: 3, rejection_reason: marker }),
  },
  { route: 'organizations', field: 'name', body: (marker) => ({ name: marker, slug: marker }) },
  { route: 'brands', field: 'name', body: (marker) => ({ organization_id: 4, name: marker, slug: marker }) },
  { route: 'career-sites', field: 'name', body: (marker) => ({ name: marker, slug: marker }) },
  { route: 'organization-teams', field: 'name', body: (marker) => ({ organization_id: 5, name: marker }) },
  {
    route: 'job-distributions',
    field: 'slug',
    body: (marker) => ({ job_posting_id: 6, career_site_id: 7, slug: marker }),
  },
]

/** The create requests for resources without a unique slug, where the database itself does not prevent duplicates. */
export const createsWithoutSlug = createKinds.filter(({ route }) => resourceAt(route).unique.length === 0)

/** The kinds of create requests whose marker is in a field that the parameter `q` searches. */
export const searchableCreates = createKinds.filter(({ field }) => field === 'name')

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
