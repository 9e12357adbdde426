import type { Chunk } from '../copy-text.ts'

export interface Table {
  readonly name: string
  /** The columns of `chunks`, in their order. */
  readonly columns: readonly string[]
  readonly rowCount: number
  /** Whether rows refer to later rows of the same table. Such a table must be loaded by a single COPY. */
  readonly refersToItself?: boolean
  readonly chunks: () => Iterable<Chunk>
}
