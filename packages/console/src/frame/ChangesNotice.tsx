import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { plural } from '../format/labels.ts'
import { formatInteger } from '../format/numbers.ts'
import { Button } from '../kit/Button.tsx'
import { followChanges } from '../service/live-changes.ts'
import { useSession } from '../service/session.tsx'
import type { ChangesOnScreen } from './changed-records.ts'
import { maxChanges, openChangedRecords } from './changed-records.ts'
import { Notice } from './Notice.tsx'

/** Says that records have changed since the screen read them, and reads them again when the reader wants it. */
export const ChangesNotice = () => {
  const { client, token } = useSession()
  const queryClient = useQueryClient()
  const records = useMemo(() => openChangedRecords(queryClient), [queryClient])
  const [changes, setChanges] = useState<ChangesOnScreen>({ counts: [], isIncomplete: false })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    // Queries can be watched by new components while React renders, when no state may be set.
    const update = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        setChanges(records.onScreen())
      })
    }
    const stop = new AbortController()
    const unwatch = records.watchQueries(update)
    const receive: Parameters<typeof followChanges>[2] = (ids) => {
      records.add(ids)
      update()
    }
    void followChanges(client, token, receive, stop.signal)
    return () => {
      stop.abort()
      unwatch()
      clearTimeout(timer)
    }
  }, [client, token, records])
  const total = changes.counts.reduce((sum, { count }) => sum + count, 0)
  if (total === 0 && !changes.isIncomplete) return undefined
  return (
    <Notice
      action={<Button onPress={() => void records.refresh()}>Refresh</Button>}
      dismiss={() => {
        records.dismiss()
        setChanges(records.onScreen())
      }}
    >
      {changes.isIncomplete ? (
        <b>This screen may be out of date.</b>
      ) : (
        <>
          <b>
            {atMost(total)} {plural(total, 'change', 'changes')}
          </b>{' '}
          since this was read{changes.counts.length === 0 ? '' : `: ${changes.counts.map(countText).join(', ')}`}.
        </>
      )}
    </Notice>
  )
}

const atMost = (count: number): string =>
  count < maxChanges ? formatInteger(count) : `${formatInteger(maxChanges)} or more`

/** The words of the navigation for the resources that have a screen. */
const resourceLabels: Readonly<Record<string, string>> = { employees: 'people', jobs: 'openings' }

const countText = ({ resource, count }: ChangesOnScreen['counts'][number]): string =>
  `${atMost(count)} in ${resourceLabels[resource] ?? resource.replaceAll('-', ' ')}`
