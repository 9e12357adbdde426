import type { NamedField, Resource } from '@muster/model'
import { resourceAt } from '@muster/model'
import { memo } from 'react'
import { Badge } from '../../components/Badge.tsx'
import { CardList } from '../../kit/CardList.tsx'
import { relationOf } from './columns.ts'
import type { Row } from './list-query.ts'
import styles from './RowLines.module.css'
import { labelFields, numberedLabel, recordLabel } from './record-label.ts'
import type { RowsProps } from './rows.ts'
import { RecordName, Value } from './Value.tsx'

/** The rows in view on a phone: two lines for each record instead of a table that is cut. */
export const RowLines = memo(({ resource, isWithheld, items, columns, openIndex, onOpen, label }: RowsProps) => {
  const title = titleField(resource, columns)
  const state = columns.find((field) => field.state)
  const others = columns.filter(
    (field) => field !== title && field !== state && field.kind !== 'id' && !labelFields(resource).includes(field.name),
  )
  return (
    <CardList
      itemClassName={styles.line}
      label={label}
      items={items}
      keyOf={({ key }) => key}
      textOf={({ row }) => (row === undefined ? 'Loading' : (recordLabel(resource, row) ?? String(row.id)))}
      selection="toggle"
      selected={items.find(({ index }) => index === openIndex)?.key}
      onSelect={(key) => onOpen(items.find((item) => item.key === key)?.index)}
      dependencies={[columns, isWithheld]}
    >
      {(item) =>
        item.row === undefined ? undefined : (
          <>
            <span className={styles.first}>
              <span className={styles.title}>
                <Title resource={resource} field={title} row={item.row} isWithheld={isWithheld} />
              </span>
              {state === undefined ? undefined : (
                <Badge>
                  <Value resource={resource} field={state} row={item.row} isWithheld={isWithheld} />
                </Badge>
              )}
            </span>
            <span className={styles.second}>
              <span className="number">{item.row.id}</span>
              {others.map((field) => (
                <span key={field.name}>
                  {' · '}
                  <span className={styles.name}>{field.name}</span>{' '}
                  <Value resource={resource} field={field} row={item.row as Row} isWithheld={isWithheld} isPlain />
                </span>
              ))}
            </span>
          </>
        )
      }
    </CardList>
  )
})

/** A record without a name of its own is called by the first record that it refers to. */
const titleField = (resource: Resource, columns: readonly NamedField[]): NamedField | undefined =>
  labelFields(resource).length > 0 ? undefined : columns.find(({ kind }) => kind === 'reference')

interface TitleProps {
  readonly resource: Resource
  readonly field: NamedField | undefined
  readonly row: Row
  readonly isWithheld: boolean
}

const Title = ({ resource, field, row, isWithheld }: TitleProps) => {
  const relation = field === undefined ? undefined : relationOf(resource, field)
  const record = relation === undefined ? row : (row[relation.name] as Row | null | undefined)
  const named = relation === undefined ? resource : resourceAt(relation.resource)
  if (record !== undefined && record !== null && (recordLabel(named, record) !== undefined || isWithheld))
    return <RecordName resource={named} record={record} isWithheld={isWithheld} />
  return numberedLabel(resource, row.id)
}
