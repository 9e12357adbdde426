import { useNavigate } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { useEffect, useRef } from 'react'
import { formatInteger } from '../../format/numbers.ts'
import { personName } from '../../format/person-name.ts'
import type { KeyboardDelegate, TreeRow } from '../../kit/Tree.tsx'
import { Tree } from '../../kit/Tree.tsx'
import type { Column } from './columns.ts'
import { foldKey, memberKey, moveInColumns, rowKeys } from './columns.ts'
import { FoldCard } from './FoldCard.tsx'
import type { Member } from './members.ts'
import { reportsText, roleText } from './members.ts'
import styles from './OrgTree.module.css'
import { PersonCard } from './PersonCard.tsx'
import type { OrgChart } from './use-org-chart.ts'

interface TreeNode {
  readonly id: string
  /** Undefined in the last row of a long column, which opens the rest, and in a row that stands for reports that are loading. */
  readonly member?: Member
  readonly column?: Column
  readonly columnIndex: number
  readonly start: number
  readonly children: readonly TreeNode[]
}

/** Heights of rows in steps of the grid, see `grid-auto-rows` in the style sheet. */
const spans = { manager: 18, other: 13, fold: 10, list: 88 } as const

const memberSpan = ({ direct }: Member) => (direct > 0 ? spans.manager : spans.other)

/** The rows of a column and, within the row of the open person, those of the columns to the right of it. */
const makeNodes = (columns: readonly Column[], columnIndex = 0): readonly TreeNode[] => {
  const column = columns[columnIndex]
  if (column === undefined) return []
  let start = 1
  const nodes: TreeNode[] = column.shown.map((member) => {
    const id = memberKey(member.id)
    const children = member.id === column.openId ? makeNodes(columns, columnIndex + 1) : []
    // React Aria takes a row for one that can be opened only if it has rows below it.
    const loading = { id: `loading-${id}`, columnIndex: columnIndex + 1, start: 1, children: [] }
    const node = {
      id,
      member,
      column,
      columnIndex,
      start,
      children: children.length === 0 && member.total > 0 ? [loading] : children,
    }
    start += memberSpan(member)
    return node
  })
  if (column.isFoldable) nodes.push({ id: foldKey(column.parent?.id ?? 0), column, columnIndex, start, children: [] })
  return nodes
}

/**
 * A tree whose rows are laid out in columns. On phones the same rows are a nested list.
 */
export const OrgTree = ({ chart }: { readonly chart: OrgChart }) => {
  const { columns, path, target, isWanted, isComplete, isNarrow, toggle, toggleFold } = chart
  const navigate = useNavigate()
  const scroller = useRef<HTMLDivElement>(null)
  const pathText = path.join()
  const targetId = target?.id

  // The newest column, or the person who was asked for, comes into view. The reports of the managers above, which arrive
  // later, move that person.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the path or of the columns moves the content
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    element.scrollLeft = element.scrollWidth
    element
      .querySelector('[data-target]')
      ?.scrollIntoView({ block: isWanted ? 'center' : 'nearest', inline: 'nearest' })
  }, [pathText, targetId, columns.length, isWanted, isComplete])

  const nodes = makeNodes(columns)
  const keys = columns.map(rowKeys)
  const openKeys = path.map(memberKey)
  const move = (direction: Parameters<typeof moveInColumns>[3]) => (key: string | number | null) =>
    moveInColumns(keys, openKeys, String(key), direction)
  const delegate: KeyboardDelegate = {
    getKeyAbove: move('up'),
    getKeyBelow: move('down'),
    getKeyLeftOf: move('left'),
    getKeyRightOf: move('right'),
    getKeyPageAbove: move('first'),
    getKeyPageBelow: move('last'),
    getFirstKey: (key) => (key == null ? (keys[0]?.[0] ?? null) : move('first')(key)),
    getLastKey: (key) => (key == null ? (keys.at(-1)?.at(-1) ?? null) : move('last')(key)),
    getKeyForSearch: (text, fromKey) => {
      const column = columns.find((_, index) => keys[index]?.includes(String(fromKey)))
      const found = column?.shown.find((member) => memberText(member).toLowerCase().startsWith(text.toLowerCase()))
      return found === undefined ? null : memberKey(found.id)
    },
  }

  const rowOf = ({ id, member, column, columnIndex, start }: TreeNode): TreeRow => {
    const span = member !== undefined ? memberSpan(member) : column?.isListOpen ? spans.list : spans.fold
    const style = { '--column': columnIndex + 1, '--start': start, '--span': span } as CSSProperties
    if (column === undefined)
      return { id, text: 'Loading', style, className: `${styles.row} ${styles.loading}`, content: 'Loading …' }
    if (member === undefined) {
      const text = foldText(column, isNarrow)
      return {
        id,
        text,
        style,
        className: `${styles.row} ${styles.fold}`,
        onAction: () => toggleFold(column.parent?.id ?? 0),
        content: <FoldCard column={column} text={text} open={(memberId) => toggle(columnIndex, memberId)} />,
      }
    }
    return {
      id,
      text: memberText(member),
      label: memberDescription(member),
      hasRowsBelow: member.total > 0,
      style,
      className: styles.row,
      isTarget: member.id === targetId,
      isOpen: member.id === column.openId,
      // Enter and a click open a manager, which is what the tree does by itself, or the screen of anybody else.
      onAction:
        member.total > 0 ? undefined : () => void navigate({ to: '/people/$id', params: { id: String(member.id) } }),
      content: <PersonCard member={member} manager={column.parent} largest={column.largest} />,
    }
  }

  return (
    <div className={styles.scroller} ref={scroller}>
      <div className={styles.columns} style={{ '--columns': columns.length } as CSSProperties}>
        {columns.map(({ parent }, index) => (
          <div
            key={parent?.id ?? 0}
            className={styles.column}
            style={{ '--column': index + 1 } as CSSProperties}
            aria-hidden
          >
            <p className={styles.head}>
              {parent === undefined ? (
                'Top of the company'
              ) : (
                <>
                  Under <bdi>{personName(parent) ?? `Employee ${parent.id}`}</bdi>
                </>
              )}
            </p>
          </div>
        ))}
        <Tree
          label="Org chart"
          className={styles.tree}
          nodes={nodes}
          rowOf={rowOf}
          childrenOf={({ children }) => children}
          openKeys={openKeys}
          onToggle={(key) => {
            const columnIndex = keys.findIndex((column) => column.includes(key))
            if (columnIndex >= 0) toggle(columnIndex, Number(key))
          }}
          keyboardDelegate={isNarrow ? undefined : delegate}
        />
      </div>
    </div>
  )
}

const memberText = (member: Member): string => personName(member) ?? `Employee ${member.id}`

const memberDescription = (member: Member): string =>
  [memberText(member), roleText(member), reportsText(member)].filter(Boolean).join(', ')

const foldText = ({ hidden, isListOpen, parent }: Column, isNarrow: boolean): string => {
  if (hidden.length === 0) return 'Show fewer'
  const count = formatInteger(hidden.length)
  if (isListOpen) return `Close the list of ${count} more`
  return isNarrow && parent !== undefined ? `${count} more under ${memberText(parent)}` : `and ${count} more`
}
