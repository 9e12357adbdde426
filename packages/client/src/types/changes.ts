import type { ChangeKind } from '@muster/model'
import type { resources } from '../generated/tables.ts'

/** A resource as in its URL, such as `job-distributions`. */
export type ResourcePath = keyof typeof resources

export interface Change {
  readonly resource: ResourcePath
  readonly id: number
  /** `erased`: the personal fields of the record were emptied; erase your copies too. */
  readonly kind: ChangeKind
  readonly at: string
}

export interface ChangesQuery {
  /** The cursor to start after. Without it and `since` there is one page, which is empty and has the current cursor. */
  readonly after?: string | undefined
  /** The date or date-time to start at, instead of `after`. Later pages may contain slightly earlier changes. */
  readonly since?: string | undefined
  readonly resource?: ResourcePath | readonly ResourcePath[] | undefined
  /** Changes per page, 200 by default and at most. */
  readonly limit?: number | undefined
}

export interface ChangesPage {
  readonly data: Change[]
  readonly meta: {
    /** The cursor after this page. Store it when you have applied the changes of the page. */
    readonly next: string
    readonly more: boolean
    /** How long changes may be held back by a transaction that is still open. */
    readonly behind_seconds: number
  }
}

export type LiveChangesQuery = Pick<ChangesQuery, 'after' | 'since' | 'resource'>

export interface LiveChange {
  /** The cursor after this change. Continue with it in `after` when the stream has ended. */
  readonly cursor: string
  /** Undefined if only changes of other resources have moved the cursor, and at the beginning. */
  readonly change: Change | undefined
}
