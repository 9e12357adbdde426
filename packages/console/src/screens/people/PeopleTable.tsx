import { memo, useCallback, useMemo } from 'react'
import { PersonName } from '../../components/PersonName.tsx'
import type { ListColumn } from '../../explorer/list-columns.ts'
import { columnWidths } from '../../explorer/list-columns.ts'
import { formatDay } from '../../format/dates.ts'
import { personName } from '../../format/person-name.ts'
import type { GridColumn, SortOrder } from '../../kit/GridTable.tsx'
import { GridTable } from '../../kit/GridTable.tsx'
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

type PeopleColumn = ListColumn<Person, Pick<PeopleListProps, 'outUntil' | 'asOf'>>

const allColumns: readonly PeopleColumn[] = [
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
    cell: ({ manager }) => (manager === null ? undefined : <PersonName person={manager} isLink={false} isPlain />),
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
  const columns = useMemo((): readonly GridColumn<Person>[] => {
    const shown = allColumns.filter(({ from, id }) => width >= from && !(id === 'department' && hasOneDepartment))
    const widths = columnWidths(shown, width)
    return shown.map(({ id, title, isFigure = false, cell }) => ({
      id,
      title: id === 'last_name' && isWithheld ? 'Person' : title,
      isFigure,
      isRowHead: id === 'last_name',
      isSortable: sortFields.some((offer) => offer.field === id && !(offer.isPersonal && isWithheld)),
      width: widths.get(id),
      cell: (person) => cell(person, { outUntil, asOf }),
    }))
  }, [width, hasOneDepartment, isWithheld, outUntil, asOf])
  const select = useCallback(
    (key: string | number | undefined) => onSelect(key === undefined ? undefined : Number(key)),
    [onSelect],
  )
  return (
    <GridTable
      label="People"
      columns={columns}
      items={page}
      keyOf={personKey}
      textOf={personText}
      selected={openId}
      // The arrow keys select, so that they change the record in the drawer.
      selection="follow"
      onSelect={select}
      onAction={(key) => onAction(Number(key))}
      sort={sort}
      onSort={onSort}
      dependencies={[]}
    />
  )
})

export const personKey = ({ id }: Person): number => id
export const personText = (person: Person): string => personName(person) ?? `Employee ${person.id}`
