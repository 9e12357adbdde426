/** Reads of career sites, from the index of the site and from the database. */
import type { SitePostings } from '../postings/site-postings.ts'
import type { PostingIndex } from '../queries/posting-index.ts'
import type { PostingIndexes } from '../queries/posting-indexes.ts'
import { careerTables } from '../queries/site.ts'
import type { Reader, Versioned } from '../reader.ts'
import { NotFound } from './response.ts'

/** A result that has the version of the index. */
export interface SiteResult<T> {
  readonly index: PostingIndex
  readonly value: T
}

export interface SiteReads {
  /** The current index of the active site with this slug. Throws `NotFound` if there is none. */
  current(reader: Reader, slug: string): Promise<PostingIndex>
  /**
   * Calls `read` with the postings of the site, and again if they turn out to be of another version than the result.
   * While records are written all the time, postings and result can stay of different versions; both then have every
   * write that was committed before the call. `index` saves loading it if it is not stored.
   */
  read<T>(
    reader: Reader,
    slug: string,
    read: (postings: SitePostings) => Promise<Versioned<T>>,
    index?: PostingIndex,
  ): Promise<SiteResult<T>>
}

export type VersionOf = (tables: readonly [string, ...string[]]) => Promise<string>

/** How often the index is loaded because a record changed between it and the query. */
const maxLoads = 3

export const openSiteReads = (indexes: PostingIndexes, versionOf: VersionOf): SiteReads => {
  const load = async (reader: Reader, slug: string): Promise<PostingIndex> => {
    const index = await indexes.load(reader, slug)
    if (index === undefined) throw new NotFound()
    return index
  }
  return {
    async current(reader, slug) {
      const stored = indexes.get(slug)
      if (stored !== undefined && stored.version === (await versionOf(careerTables))) return stored
      return load(reader, slug)
    },
    async read(reader, slug, read, given) {
      let index = given ?? indexes.get(slug) ?? (await load(reader, slug))
      for (let loads = 0; ; loads += 1) {
        const { version, value } = await read(index.value)
        if (version === index.version || loads === maxLoads) return { index, value }
        index = await load(reader, slug)
      }
    },
  }
}
