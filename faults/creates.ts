/** In charge of the seven creates as writers send them: each body carries a mark by which its record is found again. */
import { resourceAt } from '@muster/model'
import { withClient } from './cluster.ts'
import type { Stored } from './history.ts'

export interface Create {
  readonly route: string
  /** Field that holds the mark. */
  readonly field: string
  body(mark: string): Record<string, unknown>
}

/** References are to the base rows. */
export const creates: readonly Create[] = [
  {
    route: 'leave',
    field: 'reason',
    body: (mark) => ({ employee_id: 1, leave_type: 'annual', reason: mark }),
  },
  {
    route: 'applications',
    field: 'rejection_reason',
    body: (mark) => ({ candidate_id: 2, job_id: 3, rejection_reason: mark }),
  },
  { route: 'organizations', field: 'name', body: (mark) => ({ name: mark, slug: mark }) },
  { route: 'brands', field: 'name', body: (mark) => ({ organization_id: 4, name: mark, slug: mark }) },
  { route: 'career-sites', field: 'name', body: (mark) => ({ name: mark, slug: mark }) },
  { route: 'organization-teams', field: 'name', body: (mark) => ({ organization_id: 5, name: mark }) },
  {
    route: 'job-distributions',
    field: 'slug',
    body: (mark) => ({ job_posting_id: 6, career_site_id: 7, slug: mark }),
  },
]

/** Creates whose record may stand twice as far as the database is concerned: no slug keeps a second one out. */
export const repeatable = creates.filter(({ route }) => resourceAt(route).unique.length === 0)

const prefix = 'made-'

export const markOf = (name: string): string => `${prefix}${name}`

/** Everything that carries a mark, read from the tables themselves. */
export const readStored = (url: string): Promise<Stored[]> =>
  withClient(url, async (client) => {
    const stored: Stored[] = []
    for (const { route, field } of creates) {
      const { rows } = await client.query<{ id: string; mark: string }>(
        `select id, ${field} as mark from ${resourceAt(route).table} where starts_with(${field}, $1)`,
        [prefix],
      )
      stored.push(...rows.map(({ id, mark }) => ({ route, mark, id: Number(id) })))
    }
    return stored
  })
