import { daysBetween, isPastTarget } from '@muster/model'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '../../components/Badge.tsx'
import { Figure } from '../../components/Figure.tsx'
import { SortLink } from '../../components/SortLink.tsx'
import { formatDayNear, formatShortDay } from '../../format/dates.ts'
import { valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { Table } from '../../kit/Table.tsx'
import { listPath } from '../../service/requests.ts'
import styles from './Openings.module.css'
import type { OpeningRow, StageCount } from './openings.ts'
import { sumCounts } from './openings.ts'
import { StageBar } from './StageBar.tsx'
import type { OpeningJob, OpeningsPage } from './use-openings.ts'

interface OpeningsTableProps {
  readonly page: OpeningsPage
  readonly asOf: string
  readonly sort: string | undefined
  /** Undefined until they are loaded. */
  readonly stages: ReadonlyMap<number, readonly StageCount[]> | undefined
}

export const OpeningsTable = ({ page, asOf, sort, stages }: OpeningsTableProps) => {
  const longest = Math.max(1, ...page.openings.map(({ job }) => sumCounts(stages?.get(job.id) ?? [])))
  return (
    <Table
      className={styles.openings}
      isFlush
      hasLinesOnPhones
      rows={page.openings}
      rowKey={({ job }) => job.id}
      columns={[
        {
          ...sortColumn('Code', 'code', sort),
          className: styles.code,
          cellClassName: 'number muted',
          cell: ({ job }) => job.code ?? 'null',
        },
        {
          ...sortColumn('Opening', 'title', sort),
          isRowHead: true,
          className: styles.opening,
          cell: ({ job }) => (
            <Link
              to="/hiring/openings/$id"
              params={{ id: String(job.id) }}
              className={`${styles.title} ${styles.lines}`}
            >
              <bdi>{job.title}</bdi>
            </Link>
          ),
        },
        {
          title: 'Department, location',
          className: styles.department,
          cell: ({ job }) => (
            <>
              <bdi>{job.department?.name ?? 'No department'}</bdi>{' '}
              {job.location === null ? undefined : <bdi className={styles.location}>{job.location}</bdi>}
            </>
          ),
        },
        {
          title: 'Filled',
          kind: 'figure',
          className: styles.filled,
          cell: ({ job }) => (
            <>
              <Figure name={`hiring.openings.${job.id}.filled`} value={job.filled} /> of{' '}
              <Figure name={`hiring.openings.${job.id}.places`} value={job.headcount} what="places" />
            </>
          ),
        },
        {
          ...sortColumn('Open for', 'opened_on', sort),
          kind: 'figure',
          className: styles.openFor,
          cell: ({ job }) => openDays(job, asOf),
        },
        {
          ...sortColumn('Target', 'target_date', sort),
          kind: 'figure',
          className: styles.target,
          cell: ({ job }) => <Target job={job} asOf={asOf} />,
        },
        {
          ...sortColumn('Longest wait', undefined, sort),
          kind: 'figure',
          className: styles.wait,
          cell: ({ wait }) => <LongestWait wait={wait} />,
        },
        {
          title: 'Active by stage',
          className: styles.stages,
          cell: ({ job: { id } }) =>
            stages === undefined ? undefined : <StageBar jobId={id} stages={stages.get(id) ?? []} longest={longest} />,
        },
        {
          title: 'Active',
          kind: 'figure',
          className: styles.active,
          cell: ({ job: { id } }) =>
            stages === undefined ? undefined : (
              <Figure
                name={`hiring.openings.${id}.active`}
                value={sumCounts(stages.get(id) ?? [])}
                link={listPath('applications', { job_id: id, status: 'active', sort: 'stage_entered_on' })}
              />
            ),
        },
      ]}
    />
  )
}

const openDays = ({ id, opened_on }: OpeningJob, asOf: string): ReactNode => {
  if (opened_on === null) return <span className="muted">null</span>
  const days = daysBetween(opened_on, asOf)
  return days < 0 ? (
    <span className="muted">from {formatShortDay(opened_on)}</span>
  ) : (
    <Figure name={`hiring.openings.${id}.open_days`} value={days}>
      {formatInteger(days)} d
    </Figure>
  )
}

const Target = ({ job, asOf }: { readonly job: OpeningJob; readonly asOf: string }) => {
  const { id, target_date } = job
  if (target_date === null) return <span className="muted">none</span>
  return isPastTarget(job, asOf) ? (
    <Badge kind="warning">
      <Figure name={`hiring.openings.${id}.days_past_target`} value={daysBetween(target_date, asOf)} /> d past
    </Badge>
  ) : (
    <span className="muted">{formatDayNear(target_date, asOf)}</span>
  )
}

const LongestWait = ({ wait }: { readonly wait: OpeningRow | undefined }) =>
  wait === undefined || wait.longest_wait_days === null || wait.longest_stage === null ? (
    <span className="muted">no active applications</span>
  ) : (
    <>
      <span className="muted">
        <Figure
          name={`hiring.openings.${wait.group}.waiting`}
          value={wait.longest_stage_count ?? 0}
          link={wait.links.longest_stage_count}
        />{' '}
        in {valueLabel(wait.longest_stage)}
      </span>{' '}
      <b className={styles.days}>
        <Figure name={`hiring.openings.${wait.group}.wait_days`} value={wait.longest_wait_days} /> d
      </b>
    </>
  )

/**
 * The head of a column by which the list can be sorted. Without a field, that is the order of the report. A second press
 * reverses the order.
 */
const sortColumn = (title: string, field: string | undefined, sort: string | undefined) => {
  const isSorted = sort?.replace('-', '') === field
  const isDescending = field === undefined || sort?.startsWith('-') === true
  const order = isSorted ? (isDescending ? ('descending' as const) : ('ascending' as const)) : undefined
  const next = isSorted && field !== undefined && !isDescending ? `-${field}` : field
  return {
    key: title,
    sort: order,
    title: <SortLink title={title} sort={next} order={order} />,
  }
}
