import type { KeyboardDelegate } from '@react-types/shared'
import type { CSSProperties, ReactNode } from 'react'
import { Tree as AriaTree, Button, Collection, TreeItem, TreeItemContent } from 'react-aria-components'

export type { KeyboardDelegate }

export interface TreeRow {
  readonly id: string
  readonly text: string
  /** What screen readers say, if it is more than the text. */
  readonly label?: string
  readonly hasRowsBelow?: boolean
  readonly className?: string | undefined
  readonly style?: CSSProperties
  readonly isTarget?: boolean
  readonly isOpen?: boolean
  /** What Enter and a press do, if they do not open the row. */
  readonly onAction?: (() => void) | undefined
  readonly content: ReactNode
}

interface TreeProps<Node> {
  readonly label: string
  readonly className?: string | undefined
  readonly nodes: readonly Node[]
  readonly rowOf: (node: Node) => TreeRow
  readonly childrenOf: (node: Node) => readonly Node[]
  readonly openKeys: readonly string[]
  /** A row was opened or closed by a key or by its arrow. */
  readonly onToggle: (key: string) => void
  /** Where the keys move to, if the rows are not laid out below each other. */
  readonly keyboardDelegate?: KeyboardDelegate | undefined
}

/** Rows below rows. The class of the tree and of its rows decide where they are. */
export const Tree = <Node extends object>(props: TreeProps<Node>) => {
  const { label, className, nodes, rowOf, childrenOf, openKeys, onToggle, keyboardDelegate } = props
  const renderNode = (node: Node) => {
    const row = rowOf(node)
    return (
      <TreeItem
        id={row.id}
        textValue={row.text}
        {...(row.label === undefined ? {} : { 'aria-label': row.label })}
        {...(row.hasRowsBelow === undefined ? {} : { hasChildItems: row.hasRowsBelow })}
        style={row.style}
        className={row.className}
        data-target={row.isTarget || undefined}
        data-open={row.isOpen || undefined}
        {...(row.onAction === undefined ? {} : { onAction: row.onAction })}
      >
        <TreeItemContent>{row.content}</TreeItemContent>
        <Collection items={childrenOf(node)}>{renderNode}</Collection>
      </TreeItem>
    )
  }
  return (
    <AriaTree
      aria-label={label}
      className={className}
      items={nodes}
      expandedKeys={openKeys}
      onExpandedChange={(expanded) => {
        const changed =
          [...expanded].find((key) => !openKeys.includes(String(key))) ?? openKeys.find((key) => !expanded.has(key))
        if (changed !== undefined) onToggle(String(changed))
      }}
      keyboardNavigationBehavior="tab"
      {...(keyboardDelegate === undefined ? {} : { keyboardDelegate })}
    >
      {renderNode}
    </AriaTree>
  )
}

interface TreeArrowProps {
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** Opens and closes the row in which it is. */
export const TreeArrow = ({ className, children }: TreeArrowProps) => (
  <Button slot="chevron" className={className}>
    {children}
  </Button>
)
