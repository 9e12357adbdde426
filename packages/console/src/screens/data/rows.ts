import type { NamedField, Resource } from '@muster/model'
import type { Row } from './list-query.ts'

export interface RowItem {
  readonly index: number
  /** Rows that leave the window give their key, and so their elements, to those that come in. */
  readonly key: string
  /** Undefined until it has arrived. */
  readonly row: Row | undefined
}

/** What the table and the lines on phones have in common. */
export interface RowsProps {
  readonly resource: Resource
  readonly isWithheld: boolean
  readonly items: readonly RowItem[]
  readonly total: number
  readonly columns: readonly NamedField[]
  readonly openIndex: number | undefined
  readonly onOpen: (index: number | undefined) => void
  readonly label: string
}
