import { encodeCursor } from '../../queries/change-cursor.ts'
import type { Change, ChangesPage } from '../../queries/changes.ts'
import { changeJson } from '../../queries/changes.ts'
import type { Visibility } from '../access/callers.ts'

/** Redacted: `erased` is shown as `updated`, so that a client without a token does not learn of an erasure. */
export const visibleChangeJson = (change: Change, visibility: Visibility): string =>
  changeJson(change.kind === 'erased' && visibility === 'redacted' ? { ...change, kind: 'updated' } : change)

export const changesJson = ({ changes, next, more, behindSeconds }: ChangesPage, visibility: Visibility): string => {
  const data = changes.map((change) => visibleChangeJson(change, visibility)).join(',')
  const behind = Math.round(behindSeconds * 1_000) / 1_000
  return `{"data":[${data}],"meta":{"next":"${encodeCursor(next)}","more":${more},"behind_seconds":${behind}}}`
}
