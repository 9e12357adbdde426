import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { memo, useMemo } from 'react'
import type { Selection } from 'react-aria-components'
import { Cell, Column, Row, Table, TableBody, TableHeader } from 'react-aria-components'
import { Icon } from '../../components/Icon.tsx'
import { PersonName, personName } from '../../components/PersonName.tsx'
import tableStyles from '../../components/Table.module.css'
import { formatDay } from '../../format/dates.ts'
import styles from './PeopleTable.module.css'
import type { SortOrder } from './people-query.ts'
import { sortFields } from './people-query.ts'
import { StateBadge } from './StateBadge.tsx'
import type { Person } from './use-people.ts'

/** What both forms of the list need. The values stay the same between renders, so that rows are not rendered again. */
export interface PeopleListProps {
  readonly page: readonly Person[]
  readonly outUntil: ReadonlyMap<number, string>
  readonly asOf: string
  readonly openId: number | undefined
  readonly onSelect: (id: number | undefined) => void
  readonly onAction: (id: number) => void
}

interface PeopleTableProps extends PeopleListProps {
  readonly sort: SortOrder
  readonly isWithheld: boolean
  /** Whether all people are of the same department, so that it needs no column. */
  readonly hasOneDepartment: boolean
  /** The width of the table in pixels, which decides how many columns it has. */
  readonly width: number
  readonly onSort: (order: SortOrder) => void
}

interface PeopleColumn {
  readonly id: string
  readonly title: string
  /** The share of the width that columns of a fixed width leave. */
  readonly share?: number
  /** A fixed width, in rem. */
  readonly rem?: number
  /** The width of the table from which on the column is shown. */
  readonly from: number
  readonly isFigure?: boolean
  readonly cell: (person: Person, list: PeopleListProps) => ReactNode
}

const columns: readonly PeopleColumn[] = [
  {
    id: 'last_name',
    title: 'Name',
    share: 22,
    from: 0,
    cell: (person) => <PersonName person={person} isLink={false} />,
  },
  { id: 'designation', title: 'Title', share: 25, from: 0, cell: ({ designation }) => designation },
  {
    id: 'department',
    title: 'Department',
    share: 17,
    from: 860,
    cell: ({ department }) => (department === null ? undefined : <bdi>{department.name}</bdi>),
  },
  { id: 'branch', title: 'Office', share: 12, from: 480, cell: ({ branch }) => <bdi>{branch}</bdi> },
  {
    id: 'manager',
    title: 'Manager',
    share: 18,
    from: 720,
    cell: ({ manager }) =>
      manager === null ? undefined : (
        <span className={styles.manager}>
          <PersonName person={manager} isLink={false} />
        </span>
      ),
  },
  {
    id: 'date_of_joining',
    title: 'Joined',
    rem: 6.5,
    from: 640,
    isFigure: true,
    cell: ({ date_of_joining }) => (date_of_joining === null ? undefined : formatDay(date_of_joining)),
  },
  {
    id: 'status',
    title: 'Status',
    rem: 8.5,
    from: 0,
    isFigure: true,
    cell: (person, { outUntil, asOf }) => <StateBadge person={person} outUntil={outUntil.get(person.id)} asOf={asOf} />,
  },
]

export const PeopleTable = memo((props: PeopleTableProps) => {
  const { page, outUntil, asOf, sort, isWithheld, hasOneDepartment, width, openId, onSelect, onAction, onSort } = props
  const shown = useMemo(
    () => columns.filter(({ from, id }) => width >= from && !(id === 'department' && hasOneDepartment)),
    [width, hasOneDepartment],
  )
  const widths = useMemo(() => columnWidths(shown, width), [shown, width])
  const select = (keys: Selection) => {
    const [key] = keys === 'all' ? [] : keys
    onSelect(key === undefined ? undefined : Number(key))
  }
  return (
    <Table
      className={`${tableStyles.table} ${styles.table}`}
      aria-label="People"
      selectionMode="single"
      // The arrow keys select, so that they change the record in the drawer.
      selectionBehavior="replace"
      selectedKeys={openId === undefined ? [] : [openId]}
      onSelectionChange={select}
      onRowAction={(key) => onAction(Number(key))}
      sortDescriptor={{ column: sort.field, direction: sort.isDescending ? 'descending' : 'ascending' }}
      onSortChange={({ column, direction }) =>
        onSort({ field: String(column), isDescending: direction === 'descending' })
      }
    >
      <TableHeader columns={shown} dependencies={[isWithheld, widths]}>
        {({ id, title, isFigure }) => (
          <Column
            id={id}
            className={isFigure ? tableStyles.figure : undefined}
            style={{ inlineSize: widths.get(id) }}
            isRowHeader={id === 'last_name'}
            allowsSorting={sortFields.some((offer) => offer.field === id && !(offer.isPersonal && isWithheld))}
          >
            {({ sortDirection }) => (
              <span className={styles.head}>
                {id === 'last_name' && isWithheld ? 'Person' : title}
                {sortDirection === undefined ? undefined : (
                  <Icon of={sortDirection === 'ascending' ? ArrowUp : ArrowDown} size={13} />
                )}
              </span>
            )}
          </Column>
        )}
      </TableHeader>
      <TableBody items={page} dependencies={[shown, outUntil, asOf]}>
        {(person) => (
          <Row
            id={person.id}
            columns={shown}
            dependencies={[outUntil, asOf]}
            textValue={personName(person) ?? `Employee ${person.id}`}
          >
            {({ isFigure, cell }) => (
              <Cell className={isFigure ? tableStyles.figure : styles.cut}>{cell(person, props)}</Cell>
            )}
          </Row>
        )}
      </TableBody>
    </Table>
  )
})

/** In per cent: the columns of a table with a fixed layout do not accept sums of lengths and percentages. */
const columnWidths = (shown: readonly PeopleColumn[], width: number): Map<string, string> => {
  const fixed = (rem: number | undefined) => ((rem ?? 0) * 16) / width
  const remainder = 1 - shown.reduce((sum, { rem }) => sum + fixed(rem), 0)
  const shares = shown.reduce((sum, { share }) => sum + (share ?? 0), 0)
  return new Map(
    shown.map(({ id, share, rem }) => [
      id,
      `${(share === undefined ? fixed(rem) : (share / shares) * remainder) * 100}%`,
    ]),
  )
}
