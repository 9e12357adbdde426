/** The managers of the company, as the screen Managers lists and counts them. */
import type { Member } from './members.ts'

export interface Manager extends Member {
  /** How many levels of people are below. */
  readonly levels: number
}

/** The people who have direct reports, with the levels below each. */
export const toManagers = (members: readonly Member[]): readonly Manager[] => {
  const levels = new Map<number, number>()
  // From the lowest level up, so that those below a manager are known.
  for (const { id, managerId, total, depth } of members.toSorted((a, b) => b.depth - a.depth || a.id - b.id)) {
    const own = Math.max(levels.get(id) ?? 0, total > 0 ? 1 : 0)
    levels.set(id, own)
    if (managerId !== null && depth > 0) levels.set(managerId, Math.max(levels.get(managerId) ?? 0, own + 1))
  }
  return members.filter(({ direct }) => direct > 0).map((member) => ({ ...member, levels: levels.get(member.id) ?? 0 }))
}

const sortFields = ['direct', 'total', 'levels'] as const
export type SortField = (typeof sortFields)[number]

export const sortField = (text: string | undefined): SortField => sortFields.find((field) => field === text) ?? 'direct'

export const sortManagers = (managers: readonly Manager[], field: SortField): readonly Manager[] =>
  managers.toSorted((a, b) => b[field] - a[field] || b.total - a.total || a.id - b.id)

/** The smallest number of direct reports that at least half of the managers do not exceed. */
export const medianOfDirect = (managers: readonly Manager[]): number =>
  managers.map(({ direct }) => direct).toSorted((a, b) => a - b)[Math.ceil(managers.length / 2) - 1] ?? 0

/** Managers with so many direct reports share a column. */
const lastColumn = 20

export interface DirectColumn {
  /** The value of the filter: `6`, or `20-` for 20 or more. */
  readonly key: string
  /** The smallest number of direct reports. */
  readonly direct: number
  readonly label: string
  readonly count: number
}

const columnOf = (direct: number): number => Math.min(direct, lastColumn)

/** How many managers have how many direct reports: one column for each number up to the largest. */
export const directColumns = (managers: readonly Manager[]): readonly DirectColumn[] => {
  const counts = Map.groupBy(managers, ({ direct }) => columnOf(direct))
  return Array.from({ length: Math.max(0, ...counts.keys()) }, (_, index) => {
    const direct = index + 1
    const isLast = direct === lastColumn
    return {
      direct,
      key: isLast ? `${direct}-` : String(direct),
      label: isLast ? `${direct} or more` : String(direct),
      count: counts.get(direct)?.length ?? 0,
    }
  })
}

/** The managers of one column; all of them without a column. */
export const managersOfColumn = (
  managers: readonly Manager[],
  column: Pick<DirectColumn, 'direct'> | undefined,
): readonly Manager[] =>
  column === undefined ? managers : managers.filter(({ direct }) => columnOf(direct) === column.direct)
