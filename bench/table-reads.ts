/** In charge of reading a plan as PostgreSQL explains it: which indexes of a table it uses, and whether it reads all of it. */

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Plans?: readonly PlanNode[]
}

export interface TablesRead {
  readonly indexes: readonly string[]
  readonly readsTable: boolean
}

export const tablesRead = (root: PlanNode, table: string): TablesRead => {
  const nodes = nodesOf(root)
  const own = nodes.flatMap((node) => node['Index Name'] ?? []).filter((name) => name.startsWith(`${table}_`))
  // The records of a page are read by their ids, whatever found them.
  const finding = own.filter((name) => name !== `${table}_pkey`)
  return {
    indexes: [...new Set(finding.length === 0 ? own : finding)],
    readsTable: nodes.some((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === table),
  }
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
