/** People of the org chart, as the report `org-chart` describes them. */
import type { ReportRows } from '@muster/client'

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

const collator = new Intl.Collator('en')

const sortName = ({ last_name, first_name }: Member): string => `${last_name ?? ''} ${first_name ?? ''}`

/** Largest part first; people who lead equally many by name. */
export const bySize = (a: Member, b: Member): number =>
  b.total - a.total || b.direct - a.direct || collator.compare(sortName(a), sortName(b)) || a.id - b.id

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
export const findCycles = <T extends CycleMember>(members: readonly T[]): readonly (readonly T[])[] => {
  const byId = new Map(members.map((member) => [member.id, member]))
  const seen = new Set<number>()
  const cycles: T[][] = []
  for (const first of [...members].sort((a, b) => a.id - b.id)) {
    const cycle: T[] = []
    let member: T | undefined = first
    while (member !== undefined && !seen.has(member.id)) {
      seen.add(member.id)
      cycle.push(member)
      member = member.manager_id === null ? undefined : byId.get(member.manager_id)
    }
    if (cycle.length > 0 && member === first) cycles.push(cycle)
  }
  return cycles
}
