import { chartCtes } from './org.ts'
import { integer } from './texts.ts'

const facets = ['dept_id', 'status', 'employment_type', 'branch'] as const

export type PeopleFilters = Partial<Record<(typeof facets)[number], readonly string[]>>

/**
 * The figures of People. A facet counts the people whom the other filters leave. Without a filter by status, people who left
 * are not listed. A facet shows at most 60 values, and those that are selected even if nobody has them.
 */
export const peopleSql = (filters: PeopleFilters = {}): string => {
  const list = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ')
  const conditions = facets.map((facet) => {
    const values = filters[facet]
    if (values !== undefined) return [facet, `lower(${facet}::text) in (${list(values)})`] as const
    return [facet, facet === 'status' ? `lower(status) <> 'terminated'` : 'true'] as const
  })
  const where = (ignored?: string) =>
    conditions
      .filter(([facet]) => facet !== ignored)
      .map(([, condition]) => condition)
      .join(' and ')
  const counts = conditions.map(
    ([facet]) => `
    (select '${facet}.' || coalesce(key, 'null') as name, count(id) as value
    from (select lower(${facet}::text) as key, id from employees where ${where(facet)}
      union all select key, null from unnest(array[${list(filters[facet] ?? [])}]::text[]) key) counted
    group by key order by value desc limit 60)`,
  )
  return `
    select 'people.total' as name, ${integer('count(*)')} as text from employees where ${where()}
    union all select 'people.facet.' || name, ${integer('value')} from (${counts.join(' union all ')}) facets`
}

/** People, with the person $2 beside the list. */
export const drawerSql = `
with recursive ${chartCtes}
${peopleSql()}
union all select 'people.drawer.direct', ${integer('direct')} from members where id = $2
union all select 'people.drawer.reports', ${integer('total')} from members where id = $2
  and (total > 0 or direct = 0)
union all select 'people.drawer.leave', ${integer('count(*)')} from leave_requests where employee_id = $2`
