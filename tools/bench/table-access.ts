/** Finds out from an EXPLAIN plan which indexes of a table the query uses, and whether it scans the table. */

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Plans?: readonly PlanNode[]
}

export interface TableAccess {
  readonly indexes: readonly string[]
  readonly scansTable: boolean
}

export const findTableAccess = (root: PlanNode, table: string): TableAccess => {
  const nodes = nodesOf(root)
  const tableIndexes = nodes.flatMap((node) => node['Index Name'] ?? []).filter((name) => name.startsWith(`${table}_`))
  // Every query also reads the records of the page by primary key, so the use of the primary key says nothing about the
  // filter.
  const otherIndexes = tableIndexes.filter((name) => name !== `${table}_pkey`)
  return {
    indexes: [...new Set(otherIndexes.length === 0 ? tableIndexes : otherIndexes)],
    scansTable: nodes.some((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === table),
  }
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
