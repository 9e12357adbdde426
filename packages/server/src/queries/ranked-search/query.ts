import type { SearchedResource } from '@muster/model'

export interface RankedSearchQuery {
  /** What the client searches, with single spaces between the terms. */
  readonly text: string
  readonly terms: readonly string[]
  /** As the client may see them. */
  readonly resources: readonly SearchedResource[]
  readonly limit: number
}
