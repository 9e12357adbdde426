import { LRUCache } from 'lru-cache'
import type { Reader } from '../reader.ts'
import type { PostingIndex } from './posting-index.ts'
import { loadPostings } from './posting-index.ts'

/** The indexes of the sites that were requested last, by slug. */
export interface PostingIndexes {
  /** The stored index, which may be out of date; undefined if there is none. */
  get(slug: string): PostingIndex | undefined
  /** Loads the current index; undefined if there is no active site with this slug. */
  load(reader: Reader, slug: string): Promise<PostingIndex | undefined>
}

export const openPostingIndexes = (maxBytes: number): PostingIndexes => {
  const indexes = new LRUCache<string, PostingIndex>({
    // To lru-cache, 0 means no limit. No index fits into 1 byte, so nothing is stored then.
    maxSize: Math.max(Math.floor(maxBytes), 1),
    sizeCalculation: ({ value }) => value.bytes,
  })
  const runningLoads = new Map<string, Promise<unknown>>()
  const nextLoads = new Map<string, Promise<PostingIndex | undefined>>()
  const startLoad = async (reader: Reader, slug: string): Promise<PostingIndex | undefined> => {
    const load = loadPostings(reader, slug, indexes.get(slug))
    runningLoads.set(slug, load)
    try {
      const index = await load
      if (index === undefined) indexes.delete(slug)
      else indexes.set(slug, index)
      return index
    } finally {
      if (runningLoads.get(slug) === load) runningLoads.delete(slug)
    }
  }
  return {
    get: (slug) => indexes.get(slug),
    /**
     * Concurrent callers share a load. None joins a load that is already running, because it may have begun before a
     * write that the caller has seen.
     */
    load(reader, slug) {
      const running = runningLoads.get(slug)
      if (running === undefined) return startLoad(reader, slug)
      const next =
        nextLoads.get(slug) ??
        running
          .catch(() => {})
          .then(() => {
            nextLoads.delete(slug)
            return startLoad(reader, slug)
          })
      nextLoads.set(slug, next)
      return next
    },
  }
}
