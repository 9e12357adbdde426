import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo } from 'react'
import { Cell, Column, Row, Table, TableBody, TableHeader } from 'react-aria-components'
import { Icon } from '../../components/Icon.tsx'
import { isNumeric } from './columns.ts'
import styles from './RowTable.module.css'
import type { RowsProps } from './rows.ts'
import { firstSort } from './sort.ts'
import { Value } from './Value.tsx'

interface RowTableProps extends RowsProps {
  readonly sort: string | undefined
  readonly onSort: (sort: string | undefined) => void
}

/** The rows in view as a table. It is drawn again only if one of its properties changes, not with each change of the URL. */
export const RowTable = memo((props: RowTableProps) => {
  const { resource, isWithheld, items, total, columns, openIndex, onOpen, label, onSort } = props
  const sort = firstSort(props.sort)
  return (
    <Table
      className={styles.table}
      aria-label={label}
      ref={(table) => table?.setAttribute('aria-rowcount', String(total + 1))}
      selectionMode="single"
      selectionBehavior="toggle"
      selectedKeys={items.filter(({ index }) => index === openIndex).map(({ key }) => key)}
      onSelectionChange={(keys) => onOpen(items.find(({ key }) => keys !== 'all' && keys.has(key))?.index)}
      sortDescriptor={{ column: sort.field, direction: sort.isDescending ? 'descending' : 'ascending' }}
      onSortChange={({ column, direction }) =>
        onSort(column === 'id' && direction === 'ascending' ? undefined : sortValue(column, direction))
      }
    >
      <TableHeader className={styles.head} columns={columns} dependencies={[sort.field, sort.isDescending]}>
        {(field) => (
          <Column
            id={field.name}
            isRowHeader={field.kind === 'id' || field === columns[0]}
            allowsSorting={
              !(field.personal && isWithheld) && resource.sortableFields.some(({ name }) => name === field.name)
            }
            className={isNumeric(field) ? styles.number : undefined}
          >
            <span className={styles.columnName} title={`${field.name}: ${field.about}`}>
              {field.name}
            </span>
            {sort.field === field.name ? <Icon of={sort.isDescending ? ArrowDown : ArrowUp} size={13} /> : undefined}
          </Column>
        )}
      </TableHeader>
      <TableBody items={items} dependencies={[columns, isWithheld]}>
        {(item) => (
          <Row
            id={item.key}
            columns={columns}
            className={styles.row}
            ref={(row) => row?.setAttribute('aria-rowindex', String(item.index + 2))}
            dependencies={[isWithheld]}
          >
            {(field) => (
              <Cell className={isNumeric(field) ? styles.number : undefined}>
                {item.row === undefined ? undefined : (
                  <Value resource={resource} field={field} row={item.row} isWithheld={isWithheld} />
                )}
              </Cell>
            )}
          </Row>
        )}
      </TableBody>
    </Table>
  )
})

const sortValue = (column: PropertyKey, direction: string): string =>
  `${direction === 'descending' ? '-' : ''}${String(column)}`
