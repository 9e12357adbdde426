/** The columns of the tree: one for each level, with at most one open person in each. */
import type { Member } from './members.ts'
import { bySize } from './members.ts'

/** More siblings than this are folded. */
const maxSiblings = 12
/** An unfolded column shows at most this many cards; with more siblings, the rest is a scrolling list. */
const maxCards = 48

export interface Column {
  /** The person whose reports the column shows; undefined for the top. */
  readonly parent: Member | undefined
  /** Members with a card of their own. */
  readonly shown: readonly Member[]
  /** Members behind the fold. */
  readonly hidden: readonly Member[]
  /** Whether the hidden members are shown as a list. */
  readonly isListOpen: boolean
  /** Whether the column has more members than fit without a fold. */
  readonly isFoldable: boolean
  /** People below the member who leads most of the column. */
  readonly largest: number
  readonly openId: number | undefined
}

interface ColumnInput {
  readonly parent: Member | undefined
  readonly members: readonly Member[]
  readonly openId: number | undefined
  readonly targetId: number | undefined
  readonly isUnfolded: boolean
  /** On phones the siblings of an open person are folded, so that the person and the reports stay together. */
  readonly isNarrow: boolean
}

export const makeColumn = ({ parent, members, openId, targetId, isUnfolded, isNarrow }: ColumnInput): Column => {
  const sorted = [...members].sort(bySize)
  const isWanted = ({ id }: Member) => id === openId || id === targetId
  const hasOpen = isNarrow && sorted.some(({ id }) => id === openId)
  const limit = hasOpen ? 0 : maxSiblings
  const isFoldable = sorted.length > Math.max(limit, 1)
  const showsAll = !isFoldable || (isUnfolded && sorted.length <= maxCards)
  const isShown = (member: Member, index: number) => showsAll || index < limit || isWanted(member)
  return {
    parent,
    shown: sorted.filter(isShown),
    hidden: sorted.filter((member, index) => !isShown(member, index)),
    isListOpen: isUnfolded && !showsAll,
    isFoldable,
    largest: Math.max(1, ...sorted.slice(0, 1).map(({ total }) => total)),
    openId,
  }
}

export const leads = ({ total }: Member): boolean => total > 0

/**
 * Who is open at first: of those at the top, the person who leads most people. If the only report of that person leads all the others, the
 * two form one level: somebody whose manager was recorded wrongly may stand above the whole company.
 */
export const firstPath = (topMembers: readonly Member[]): readonly number[] => {
  const [largest] = topMembers.filter(({ depth }) => depth === 0).sort(bySize)
  if (largest === undefined || !leads(largest)) return []
  const [report, ...others] = topMembers.filter(({ managerId }) => managerId === largest.id)
  return report !== undefined && others.length === 0 && leads(report) ? [largest.id, report.id] : [largest.id]
}

/** The key of a row of the tree: a person, or the fold of a column. */
type RowKey = string
export const memberKey = (id: number): RowKey => String(id)
export const foldKey = (parentId: number): RowKey => `more-${parentId}`

export const rowKeys = ({ parent, shown, isFoldable }: Column): readonly RowKey[] => [
  ...shown.map(({ id }) => memberKey(id)),
  ...(isFoldable ? [foldKey(parent?.id ?? 0)] : []),
]

/** Arrow keys: up and down within a column, left to the manager, right to the reports of an open person. */
export const moveInColumns = (
  columns: readonly (readonly RowKey[])[],
  openKeys: readonly RowKey[],
  key: RowKey,
  direction: 'up' | 'down' | 'left' | 'right' | 'first' | 'last',
): RowKey | null => {
  const index = columns.findIndex((column) => column.includes(key))
  const column = columns[index] ?? []
  const row = column.indexOf(key)
  switch (direction) {
    case 'up':
      return column[row - 1] ?? null
    case 'down':
      return column[row + 1] ?? null
    case 'left':
      return openKeys[index - 1] ?? null
    case 'right':
      return openKeys[index] === key ? (columns[index + 1]?.[0] ?? null) : null
    case 'first':
      return column[0] ?? null
    case 'last':
      return column.at(-1) ?? null
  }
}

/** The open people after one of them is opened or closed. Whoever was open to the right of it is closed. */
export const togglePath = (path: readonly number[], columnIndex: number, id: number): readonly number[] =>
  path[columnIndex] === id ? path.slice(0, columnIndex) : [...path.slice(0, columnIndex), id]
