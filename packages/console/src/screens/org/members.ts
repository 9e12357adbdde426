/** People of the org chart, as the report `org-chart` describes them. */
import type { ReportRows } from '@muster/client'
import { formatInteger } from '../../format/numbers.ts'

export interface Member {
  readonly id: number
  readonly managerId: number | null
  readonly depth: number
  readonly direct: number
  readonly total: number
  readonly designation: string | null
  readonly department: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly links: { readonly direct_reports?: string; readonly total_reports?: string }
}

export const toMember = (row: ReportRows['orgChart']): Member => ({
  id: row.id ?? 0,
  managerId: row.manager_id,
  depth: row.depth ?? 0,
  direct: row.direct_reports ?? 0,
  total: row.total_reports ?? 0,
  designation: row.designation,
  department: row.department,
  first_name: row.first_name,
  last_name: row.last_name,
  links: row.links,
})

/** Somebody who is recorded as their own manager is none of their own reports. */
export const withoutThemselves = (member: Member): Member => ({
  ...member,
  direct: member.direct - 1,
  links: {
    ...member.links,
    ...(member.links.direct_reports && { direct_reports: `${member.links.direct_reports}&under=${member.id}` }),
  },
})

const collator = new Intl.Collator('en')

const sortName = ({ last_name, first_name }: Member): string => `${last_name ?? ''} ${first_name ?? ''}`

/** Largest part first; people who lead equally many by name. */
export const bySize = (a: Member, b: Member): number =>
  b.total - a.total || b.direct - a.direct || collator.compare(sortName(a), sortName(b)) || a.id - b.id

/** Somebody whose only report was cut to break a cycle has a direct report and nobody below. */
export const reportsText = ({ direct, total }: Member): string | undefined => {
  if (direct === 0) return undefined
  return `${formatInteger(direct)} direct${total === 0 ? '' : `, ${formatInteger(total)} in all`}`
}

type Role = Pick<Member, 'designation' | 'department'>

/**
 * Title and department. The department is left out if the title names it, as in `Head of Platform Engineering`, or if it
 * is that of the manager, whose card is beside it.
 */
export const roleText = ({ designation, department }: Role, manager?: Role): string => {
  if (designation === null || designation === '') return department ?? ''
  return department === null ||
    department === '' ||
    department === manager?.department ||
    designation.includes(department)
    ? designation
    : `${designation} · ${department}`
}

/** A record of an employee whose chain of managers leads back to the employee. */
interface CycleMember {
  readonly id: number
  readonly manager_id: number | null
}

/** Groups the members of cycles by cycle. Each begins with its smallest id, followed by the manager, the manager's manager, … */
export const findCycles = <T extends CycleMember>(members: readonly T[]): readonly (readonly [T, ...T[]])[] => {
  const byId = new Map(members.map((member) => [member.id, member]))
  const seen = new Set<number>()
  const cycles: [T, ...T[]][] = []
  for (const first of [...members].sort((a, b) => a.id - b.id)) {
    const cycle: T[] = []
    let member: T | undefined = first
    while (member !== undefined && !seen.has(member.id)) {
      seen.add(member.id)
      cycle.push(member)
      member = member.manager_id === null ? undefined : byId.get(member.manager_id)
    }
    const [head, ...others] = cycle
    if (head !== undefined && member === first) cycles.push([head, ...others])
  }
  return cycles
}
