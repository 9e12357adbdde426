import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, Table as TableIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRef } from 'react'
import { BackLink } from '../../components/BackLink.tsx'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { dataLocation } from '../../components/data-links.ts'
import { ExportButton } from '../../components/ExportButton.tsx'
import { Figure } from '../../components/Figure.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import type { LoadableResult } from '../../components/Loadable.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import type { Status } from '../../components/StatusMark.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import { NoMatches } from '../../explorer/NoMatches.tsx'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import type { PlainPath } from '../../frame/screens.ts'
import { questionOf, titleOf } from '../../frame/screens.ts'
import { ButtonLink } from '../../kit/Button.tsx'
import { Chip, ChipList } from '../../kit/Chip.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { Pager } from '../../kit/Pager.tsx'
import { Picks } from '../../kit/Picks.tsx'
import type { TableColumn, TableGroup } from '../../kit/Table.tsx'
import { Table } from '../../kit/Table.tsx'
import type { SearchParameters } from '../../search-parameters.ts'
import type { CountedPick } from './picks.ts'
import { matchingTotal } from './picks.ts'
import { useRowKeys } from './use-row-keys.ts'
import styles from './WorkList.module.css'

export interface ListGroup<Row> {
  readonly key: string
  readonly title: string
  readonly mark?: Status | undefined
  readonly total: number
  /** Path of the list with its records. */
  readonly link?: string | undefined
  /** Follows the number: what it counts, and why that matters. */
  readonly remark: ReactNode
  /** The first rows, or those of the page if the list shows only this group. */
  readonly rows: readonly Row[]
}

/** What a list shows of each group before it is opened, and on each page of an open one. */
export const rowsPerGroup = 10
export const rowsPerPage = 25

export const pageOffset = ({ offset }: SearchParameters): number =>
  /^\d{1,9}$/.test(offset ?? '') ? Number(offset) : 0

interface WorkListPageProps<Row> {
  readonly path: PlainPath
  /** Prefix of the names of the figures. */
  readonly name: string
  /** What is listed, in singular and plural. */
  readonly what: readonly [one: string, many: string]
  readonly search: SearchParameters
  readonly definition: ReactNode
  /** Path of the list of all records that match the filters, which is exported and opened as data. */
  readonly listed: string
  /** The fields of the export. */
  readonly fields: string
  /** Instead of the export of one list. */
  readonly tools?: ReactNode
  /** What Today says, with numbers. */
  readonly lede?: ReactNode
  /** Between the sentence and the filters. */
  readonly picture?: ReactNode
  readonly picks: LoadableResult<readonly CountedPick[]>
  readonly labelOf: (parameter: string, value: string) => string
  readonly markOf?: (parameter: string, value: string) => ReactNode
  readonly groups: LoadableResult<readonly ListGroup<Row>[]>
  readonly columns: readonly (TableColumn<Row> | false | undefined)[]
  readonly rowKey: (row: Row) => string | number
  readonly tableClassName?: string | undefined
  /** Whether all rows are in one group, which is shown page by page. */
  readonly hasOneGroup?: true
  /** The order of the rows: `by urgency and then by the longest wait`. */
  readonly order: string
  /** What is said if nothing needs attention. */
  readonly good: ReactNode
  readonly note?: ReactNode
}

/** A list of what needs attention: filters with counts, and rows in groups by urgency. */
export const WorkListPage = <Row,>(props: WorkListPageProps<Row>) => {
  const { path, name, what, definition, listed, fields, lede, picture, picks, labelOf, markOf, groups } = props
  const list = useRef<HTMLElement>(null)
  const navigate = useNavigate()
  useRowKeys(list)
  const change = (patch: SearchParameters): void =>
    void navigate({
      to: '.',
      search: (old: SearchParameters) => ({ ...old, offset: undefined, group: undefined, ...patch }),
      resetScroll: false,
    })
  const total = picks.data && matchingTotal(picks.data)
  return (
    <>
      <PageHead
        above={<BackLink to="/today" />}
        title={titleOf(path)}
        question={questionOf(path)}
        how={<HowCounted title={titleOf(path)} definition={definition} path={listed} />}
        tools={
          <>
            <CopyLinkButton />
            {total === undefined || total === 0
              ? undefined
              : (props.tools ?? (
                  <>
                    <DataLink path={listed} />
                    <ExportButton path={listed} fields={fields} rows={total} fileName={path.slice('/today/'.length)} />
                  </>
                ))}
          </>
        }
      />
      <Loadable result={picks} asked={`the number of ${what[1]}`}>
        {(counted) => (
          <>
            {lede === undefined || total === 0 ? undefined : <p className={styles.lede}>{lede}</p>}
            {picture}
            {counted.every((pick) => pick.total === 0) ? undefined : (
              <Picks
                picks={counted.map((pick) => ({
                  ...pick,
                  key: pick.parameter,
                  all: <Figure name={`${name}.${pick.parameter}.all`} value={pick.total} />,
                  options: withSelected(pick).map(({ value, count }) => ({
                    value,
                    label: labelOf(pick.parameter, value),
                    mark: markOf?.(pick.parameter, value),
                    count: <Figure name={`${name}.${pick.parameter}.${value}`} value={count} />,
                  })),
                  onChange: (value) => change({ [pick.parameter]: value }),
                }))}
              />
            )}
            {matchingTotal(counted) === 0 ? (
              <Nothing {...props} picks={counted} onChange={change} />
            ) : (
              <section ref={list} className={styles.list} aria-label={titleOf(path)}>
                <Loadable result={groups} asked={`the ${what[1]}`}>
                  {(shown) => (
                    <Groups
                      {...props}
                      groups={shown.filter((group) => group.total > 0)}
                      total={matchingTotal(counted)}
                    />
                  )}
                </Loadable>
              </section>
            )}
          </>
        )}
      </Loadable>
    </>
  )
}

/** The value in the URL may have no records. */
const withSelected = ({ values, selected }: CountedPick) =>
  selected === undefined || values.some(({ value }) => value === selected)
    ? values
    : [...values, { value: selected, count: 0 }]

/** The head of the column by which the list is sorted. */
export const SortedHead = ({ title, isDescending }: { readonly title: string; readonly isDescending: boolean }) => (
  <span className={styles.sorted}>
    {title} <Icon of={isDescending ? ArrowDown : ArrowUp} size={13} />
  </span>
)

export const DataLink = ({ path }: { readonly path: string }) => (
  <ButtonLink kind="bare" {...dataLocation(path)}>
    <Icon of={TableIcon} />
    <span>Open as data</span>
  </ButtonLink>
)

interface GroupsProps<Row> extends Omit<WorkListPageProps<Row>, 'groups'> {
  readonly groups: readonly ListGroup<Row>[]
  readonly total: number
}

const Groups = <Row,>(props: GroupsProps<Row>) => {
  const { name, what, groups, columns, rowKey, tableClassName, total, hasOneGroup, search, order, note } = props
  const open = groups.find(({ key }) => hasOneGroup || key === search.group)
  const shown = groups.reduce((sum, { rows }) => sum + rows.length, 0)
  return (
    <>
      {open === undefined || hasOneGroup ? undefined : (
        <ChipList count={1} onClear={() => {}}>
          <GroupChip title={open.title} />
        </ChipList>
      )}
      <Table
        className={tableClassName}
        isFlush
        hasLinesOnPhones
        columns={columns}
        rowKey={rowKey}
        groups={groups.map(
          (group): TableGroup<Row> => ({
            key: group.key,
            rows: group.rows,
            head: (
              <>
                {group.mark === undefined ? undefined : (
                  <span className={styles.mark}>
                    <StatusMark status={group.mark} />
                  </span>
                )}
                {group.title}{' '}
                <span className={styles.remark}>
                  <Figure
                    name={`${name}.group.${group.key}`}
                    value={group.total}
                    link={group.link}
                    what={`${plural(group.total, ...what)}: ${group.title}`}
                  />{' '}
                  {group.remark}
                </span>
              </>
            ),
            foot:
              open !== undefined || group.rows.length >= group.total ? undefined : (
                <Link
                  className={styles.rest}
                  to="."
                  search={(old: SearchParameters) => ({ ...old, group: group.key, offset: undefined })}
                >
                  {group.rows.length === 0
                    ? `Show ${formatInteger(group.total)}`
                    : `${formatInteger(group.total - group.rows.length)} more`}
                  <span className="visually-hidden"> in {group.title}</span>
                </Link>
              ),
          }),
        )}
      />
      {open === undefined ? (
        <p className={styles.shown} role="status">
          {formatInteger(shown)} of {formatInteger(total)} shown, {order}
        </p>
      ) : (
        <Pager total={open.total} offset={pageOffset(search)} shown={open.rows.length} size={rowsPerPage} />
      )}
      {note === undefined ? undefined : <p className={`note ${styles.note}`}>{note}</p>}
    </>
  )
}

const GroupChip = ({ title }: { readonly title: string }) => {
  const navigate = useNavigate()
  return (
    <Chip
      name="Only"
      value={title}
      onRemove={() =>
        void navigate({
          to: '.',
          search: (old: SearchParameters) => ({ ...old, group: undefined, offset: undefined }),
          resetScroll: false,
        })
      }
    />
  )
}

interface NothingProps<Row> extends Omit<WorkListPageProps<Row>, 'picks'> {
  readonly picks: readonly CountedPick[]
  readonly onChange: (patch: SearchParameters) => void
}

/** Either filters exclude everything, or there is nothing to do. */
const Nothing = <Row,>({ picks, what, labelOf, good, onChange }: NothingProps<Row>) => {
  const chosen = picks.flatMap(({ selected, ...pick }) => (selected === undefined ? [] : [{ ...pick, selected }]))
  if (chosen.length === 0)
    return (
      <p className={styles.good} role="status">
        <StatusMark status="good" />
        <span>{good}</span>
      </p>
    )
  return (
    <NoMatches
      what={`No ${what[0]} matches`}
      count={chosen.length}
      unit={(count) => plural(count, ...what)}
      removals={chosen.map(({ parameter, title, selected, total }) => ({
        key: parameter,
        label: `${title}: ${labelOf(parameter, selected)}`,
        remaining: total,
        without: { [parameter]: undefined },
      }))}
      onRemove={onChange}
      onClear={() => onChange(Object.fromEntries(chosen.map(({ parameter }) => [parameter, undefined])))}
    >
      The number beside each filter says how many {what[1]} there are without it.
    </NoMatches>
  )
}
