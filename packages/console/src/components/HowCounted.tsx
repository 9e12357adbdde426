import type { ReportKind } from '@muster/model'
import { CircleHelp } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDay } from '../format/dates.ts'
import { formatInteger } from '../format/numbers.ts'
import { Button } from '../kit/Button.tsx'
import { CodeBlock } from '../kit/CodeBlock.tsx'
import { Icon } from '../kit/Icon.tsx'
import { Popover } from '../kit/Popover.tsx'
import { curlCommand } from '../service/requests.ts'
import { useSession } from '../service/session.tsx'
import { CopyButton } from './CopyButton.tsx'
import styles from './HowCounted.module.css'

interface HowCountedProps {
  readonly title: string
  /** `meta` of a report, which has the definition, the kind and the day. */
  readonly meta?:
    | { readonly definition: string; readonly kind: ReportKind; readonly as_of: string; readonly excluded: number }
    | undefined
  /** What `meta.excluded` counts, and where it is linked to. */
  readonly excluded?: ReactNode
  /** The definition, for screens that show lists and counts instead of a report. */
  readonly definition?: ReactNode
  /** The request behind the figures: a path such as `/api/v1/reports/today`. */
  readonly path: string
}

const kindTexts: Readonly<Record<ReportKind, string>> = {
  snapshot: 'Snapshot: the state on one day',
  cohort: 'Cohort: what became of records that began in a period',
  activity: 'Activity: what happened in a period',
}

/** Tells what is counted, how, up to which day, and with which request. */
export const HowCounted = ({ title, meta, excluded, definition = meta?.definition, path }: HowCountedProps) => {
  const { token } = useSession()
  const command = curlCommand(path, token !== undefined)
  return (
    <Popover
      title={title}
      width="medium"
      trigger={
        <Button kind="quiet" className={styles.trigger}>
          <Icon of={CircleHelp} size={13} />
          How is this counted?
        </Button>
      }
    >
      <dl className={styles.facts}>
        <dt>Definition</dt>
        <dd>{typeof definition === 'string' ? <Sentence text={definition} /> : definition}</dd>
        {meta === undefined ? undefined : (
          <>
            <dt>Kind</dt>
            <dd>{kindTexts[meta.kind]}</dd>
            <dt>Day</dt>
            <dd>{formatDay(meta.as_of)}</dd>
          </>
        )}
        {meta === undefined || meta.excluded === 0 ? undefined : (
          <>
            <dt>Left out</dt>
            <dd>
              {formatInteger(meta.excluded)} {excluded}
            </dd>
          </>
        )}
        <dt>Request</dt>
        <dd>
          <CodeBlock>{command}</CodeBlock>
        </dd>
      </dl>
      <CopyButton label="Copy curl" text={() => command} />
    </Popover>
  )
}

/** Definitions quote names of fields and values in backquotes. */
const Sentence = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their order
    index % 2 === 0 ? part : <code key={index}>{part}</code>,
  )
