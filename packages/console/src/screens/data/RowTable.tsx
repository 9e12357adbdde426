import { memo, useMemo } from 'react'
import type { GridColumn } from '../../kit/GridTable.tsx'
import { GridTable } from '../../kit/GridTable.tsx'
import { isNumeric } from './columns.ts'
import type { RowItem, RowsProps } from './rows.ts'
import { firstSort } from './sort.ts'
import { Value } from './Value.tsx'

interface RowTableProps extends RowsProps {
  readonly sort: string | undefined
  readonly onSort: (sort: string | undefined) => void
}

const keyOf = ({ key }: RowItem): string => key
const indexOf = ({ index }: RowItem): number => index

/** The rows in view as a table. It is drawn again only if one of its properties changes, not with each change of the URL. */
export const RowTable = memo((props: RowTableProps) => {
  const { resource, isWithheld, items, total, columns, openIndex, onOpen, label, sort, onSort } = props
  const gridColumns = useMemo(
    (): readonly GridColumn<RowItem>[] =>
      columns.map((field) => ({
        id: field.name,
        title: field.name,
        about: `${field.name}: ${field.about}`,
        isFigure: isNumeric(field),
        isRowHead: field.kind === 'id' || field === columns[0],
        isSortable: !(field.personal && isWithheld) && resource.sortableFields.some(({ name }) => name === field.name),
        cell: ({ row }) =>
          row === undefined ? undefined : <Value resource={resource} field={field} row={row} isWithheld={isWithheld} />,
      })),
    [columns, isWithheld, resource],
  )
  return (
    <GridTable
      label={label}
      columns={gridColumns}
      items={items}
      keyOf={keyOf}
      selected={items.find(({ index }) => index === openIndex)?.key}
      selection="toggle"
      onSelect={(key) => onOpen(items.find((item) => item.key === key)?.index)}
      sort={firstSort(sort)}
      onSort={({ field, isDescending }) =>
        onSort(field === 'id' && !isDescending ? undefined : `${isDescending ? '-' : ''}${field}`)
      }
      window={{ total, indexOf }}
      dependencies={[]}
    />
  )
})
