import type { Change, Client } from '@muster/client'
import { listPath } from '../../service/paths.ts'

/** At most six requests. */
export const maxChanges = 5_000

/** The constants of the model with the same meaning would be a script of their own. A test compares them. */
export const maxPageSize = 1_000
export const kinds = ['created', 'updated', 'deleted', 'erased'] as const
export const maxLinkedIds = 200

interface ChangesOfDay {
  /** In the order of the feed. Undefined if there are more than `maxChanges`. */
  readonly changes: readonly Change[] | undefined
  /** Later changes may be missing: they wait for a transaction of this age. */
  readonly behindSeconds: number
}

export const readChangesSince = async (client: Client, day: string, signal: AbortSignal): Promise<ChangesOfDay> => {
  const changes: Change[] = []
  let behindSeconds = 0
  for await (const { data, meta } of client.changes({ since: day, limit: maxPageSize }, { signal })) {
    // A transaction that began to write before midnight may follow one that ended after it.
    changes.push(...data.filter(({ at }) => at >= day))
    behindSeconds = meta.behind_seconds
    if (changes.length > maxChanges) return { changes: undefined, behindSeconds }
  }
  return { changes, behindSeconds }
}

interface ChangedRecords {
  readonly kind: string
  readonly count: number
  /** The list of these records. Undefined if they were deleted, or if they are too many for a list by id. */
  readonly link: string | undefined
}

export interface ChangedResource {
  readonly resource: string
  readonly kinds: readonly ChangedRecords[]
  /** The time of the last change. */
  readonly last: string
}

/**
 * Each record once, by its last change; a record that was created and then updated counts as created. The resource that
 * was changed last is the first.
 */
export const changedResources = (changes: readonly Change[]): ChangedResource[] =>
  [...Map.groupBy(changes, ({ resource }) => resource)]
    .map(([resource, ofResource]) => {
      const kindById = new Map<number, string>()
      for (const { id, kind } of ofResource) {
        if (kind !== 'updated' || kindById.get(id) !== 'created') kindById.set(id, kind)
      }
      const idsByKind = Map.groupBy(kindById.keys(), (id) => kindById.get(id) as string)
      const ofKinds = [...idsByKind].map(([kind, ids]) => ({
        kind,
        count: ids.length,
        link:
          kind === 'deleted' || ids.length > maxLinkedIds ? undefined : listPath(resource, { id: ids, sort: '-id' }),
      }))
      const last = ofResource.reduce((latest, { at }) => (at > latest ? at : latest), '')
      return { resource, kinds: ofKinds, last }
    })
    .toSorted((a, b) => (a.last < b.last ? 1 : -1))
