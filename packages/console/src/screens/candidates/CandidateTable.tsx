import type { Candidate } from '@muster/client'
import { memo, useCallback, useMemo } from 'react'
import { Figure } from '../../components/Figure.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import type { ListColumn } from '../../explorer/list-columns.ts'
import { columnWidths } from '../../explorer/list-columns.ts'
import { formatDay } from '../../format/dates.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { personName } from '../../format/person-name.ts'
import { CardList } from '../../kit/CardList.tsx'
import type { GridColumn, SortOrder } from '../../kit/GridTable.tsx'
import { GridTable } from '../../kit/GridTable.tsx'
import styles from './CandidateTable.module.css'
import { sortFields } from './candidate-query.ts'
import { isOngoing } from './tracks.ts'
import type { PageApplications } from './use-candidates.ts'

interface CandidateListProps {
  readonly page: readonly Candidate[]
  readonly applications: PageApplications
  readonly onOpen: (id: number) => void
}

interface CandidateTableProps extends CandidateListProps {
  readonly sort: SortOrder
  readonly isWithheld: boolean
  /** The width of the table in pixels, which decides how many columns it has. */
  readonly width: number
  readonly onSort: (order: SortOrder) => void
}

const allColumns: readonly ListColumn<Candidate, PageApplications>[] = [
  {
    id: 'last_name',
    title: 'Name',
    share: 24,
    from: 0,
    cell: (candidate) => <PersonName person={candidate} kind="Candidate" isLink={false} />,
  },
  {
    id: 'application',
    title: 'Latest application',
    share: 46,
    from: 0,
    cell: ({ id }, { latest }) => <Latest id={id} latest={latest} />,
  },
  {
    id: 'applications',
    title: 'Applied to',
    rem: 5.25,
    from: 700,
    isFigure: true,
    cell: ({ id }, { counts }) =>
      counts === undefined ? undefined : <Figure name={`candidates.${id}.applications`} value={counts.get(id) ?? 0} />,
  },
  {
    id: 'source',
    title: 'Source',
    rem: 6.5,
    from: 560,
    cell: ({ source }) => (source === null ? <span className="muted">none</span> : valueLabel(source)),
  },
  {
    id: 'created',
    title: 'Added',
    rem: 6.5,
    from: 680,
    isFigure: true,
    cell: ({ created }) => (created === null ? undefined : formatDay(created.slice(0, 10))),
  },
  { id: 'status', title: 'Status', rem: 5, from: 0, isFigure: true, cell: ({ status }) => valueLabel(status) },
]

interface LatestProps {
  readonly id: number
  readonly latest: PageApplications['latest']
}

/** The opening, and the stage or how the application ended. */
const Latest = ({ id, latest }: LatestProps) => {
  const application = latest?.get(id)
  if (latest === undefined) return undefined
  if (application === undefined) return <span className="muted">no application</span>
  const { job, stage, status } = application
  return (
    <>
      <bdi>{job?.title ?? 'Opening'}</bdi>
      <span className={styles.stage}> · {valueLabel(isOngoing(application) ? stage : status)}</span>
    </>
  )
}

export const CandidateTable = memo((props: CandidateTableProps) => {
  const { page, applications, sort, isWithheld, width, onOpen, onSort } = props
  const columns = useMemo((): readonly GridColumn<Candidate>[] => {
    const shown = allColumns.filter(({ from }) => width >= from)
    const widths = columnWidths(shown, width)
    return shown.map(({ id, title, isFigure = false, cell }) => ({
      id,
      title: id === 'last_name' && isWithheld ? 'Candidate' : title,
      isFigure,
      isRowHead: id === 'last_name',
      isSortable: sortFields.some(({ field, isPersonal }) => field === id && !(isPersonal && isWithheld)),
      width: widths.get(id),
      cell: (candidate) => cell(candidate, applications),
    }))
  }, [width, isWithheld, applications])
  return (
    <GridTable
      label="Candidates"
      columns={columns}
      items={page}
      keyOf={candidateKey}
      textOf={candidateText}
      selected={undefined}
      selection="toggle"
      onSelect={useOpen(onOpen)}
      sort={sort}
      onSort={onSort}
      dependencies={[]}
    />
  )
})

/** The same list where there is no room for a table. */
export const CandidateLines = memo(({ page, applications, onOpen }: CandidateListProps) => (
  <CardList
    label="Candidates"
    items={page}
    keyOf={candidateKey}
    textOf={candidateText}
    selection="toggle"
    onSelect={useOpen(onOpen)}
    itemClassName={styles.line}
    dependencies={[applications]}
  >
    {(candidate) => {
      const { id, source, status } = candidate
      const count = applications.counts && (applications.counts.get(id) ?? 0)
      return (
        <>
          <PersonName person={candidate} kind="Candidate" isLink={false} />
          <span>{valueLabel(status)}</span>
          <span className={styles.application}>
            <Latest id={id} latest={applications.latest} />
          </span>
          <span className={styles.application}>
            {source === null ? 'No source' : valueLabel(source)}
            {count === undefined ? undefined : (
              <>
                {' · '}
                <Figure name={`candidates.${id}.applications`} value={count} />{' '}
                {plural(count, 'application', 'applications')}
              </>
            )}
          </span>
        </>
      )
    }}
  </CardList>
))

const useOpen = (onOpen: (id: number) => void) =>
  useCallback(
    (key: string | number | undefined) => {
      if (key !== undefined) onOpen(Number(key))
    },
    [onOpen],
  )

const candidateKey = ({ id }: Candidate): number => id
const candidateText = (candidate: Candidate): string => personName(candidate) ?? `Candidate ${candidate.id}`
