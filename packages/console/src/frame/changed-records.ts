import type { Query, QueryClient } from '@tanstack/react-query'
import type { ChangedIds } from '../service/live-changes.ts'
import { dependencyOf } from '../service/shown-resources.ts'

/** Records that changed after the screen read them. */
export interface ChangesOnScreen {
  /** Resources with a change, and how many records of each, at most `maxChanges`. */
  readonly counts: readonly { readonly resource: string; readonly count: number }[]
  /** Whether changes were missed, so that there may be others. */
  readonly isIncomplete: boolean
}

/** As many changed records of a resource are kept. */
export const maxChanges = 1_000

/** Notes which records have changed and when each request of the screen was sent, and compares the two. */
export const openChangedRecords = (queryClient: QueryClient) => {
  /** By resource and id, when the newest change arrived. The newest is the last. */
  const arrivals = new Map<string, Map<number, number>>()
  let missedAt = Number.NEGATIVE_INFINITY
  const sentAt = new WeakMap<Query, number>()
  /** What was changed later is not in the result of the query. */
  const currentSince = new WeakMap<Query, number>()
  const cache = queryClient.getQueryCache()
  const shownQueries = (): Query[] =>
    cache.findAll({ type: 'active' }).filter(({ state, meta }) => state.data !== undefined && meta?.isOfFrame !== true)
  const sinceOf = (query: Query): number => currentSince.get(query) ?? query.state.dataUpdatedAt

  return {
    /** Calls `onUpdate` when the queries of the screen or their results have changed. Returns the end of the watch. */
    watchQueries: (onUpdate: () => void): (() => void) =>
      cache.subscribe((event) => {
        if (event.type === 'updated') {
          const { query, action } = event
          if (action.type === 'fetch') sentAt.set(query, Date.now())
          if (action.type !== 'success') return
          currentSince.set(query, sentAt.get(query) ?? Date.now())
        } else if (event.type !== 'observerAdded' && event.type !== 'observerRemoved') return
        onUpdate()
      }),

    add(ids: ChangedIds): void {
      const now = Date.now()
      if (ids === undefined) missedAt = now
      for (const [resource, changed] of Object.entries(ids ?? {})) {
        const ofResource = arrivals.get(resource) ?? new Map<number, number>()
        arrivals.set(resource, ofResource)
        for (const id of changed) {
          ofResource.delete(id)
          ofResource.set(id, now)
        }
        for (const id of ofResource.keys().take(Math.max(0, ofResource.size - maxChanges))) ofResource.delete(id)
      }
    },

    onScreen(): ChangesOnScreen {
      const changed = new Map<string, Set<number>>()
      let isIncomplete = false
      for (const query of shownQueries()) {
        const since = sinceOf(query)
        isIncomplete ||= missedAt > since
        const { resources, id: onlyId } = dependencyOf(query.queryKey)
        for (const resource of resources)
          for (const [id, arrivedAt] of arrivals.get(resource) ?? [])
            if (arrivedAt > since && (onlyId === undefined || onlyId === id))
              changed.set(resource, (changed.get(resource) ?? new Set()).add(id))
      }
      return { counts: [...changed].map(([resource, ids]) => ({ resource, count: ids.size })), isIncomplete }
    },

    refresh: (): Promise<void> => {
      const shown = new Set(shownQueries())
      return queryClient.invalidateQueries({ predicate: (query) => shown.has(query) })
    },

    /** Says nothing more about the changes until now. */
    dismiss(): void {
      for (const query of shownQueries()) currentSince.set(query, Date.now())
    },
  }
}
