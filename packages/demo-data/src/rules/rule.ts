export interface Rule {
  readonly name: string
  /** A query that returns one row with the number of `checked` rows and of `violations`. */
  readonly sql: string
}

/** SQL for the day that counts as today in the demo data, as stored by the seed. */
export const AS_OF = '(select as_of from muster_seed)'

interface RowCheck {
  readonly from: string
  /**
   * An SQL condition that is true for rows that break the rule. If the condition is null, the row also breaks the rule.
   */
  readonly broken: string
}

/** Makes a rule that checks every row of `from`. */
export function rowRule(name: string, { from, broken }: RowCheck): Rule {
  return {
    name,
    sql: `select count(*) as checked, count(*) filter (where (${broken}) is not false) as violations from ${from}`,
  }
}

/** Makes a rule that combines several row checks. */
export function combinedRule(name: string, parts: readonly RowCheck[]): Rule {
  const counts = parts.map((part) => rowRule(name, part).sql).join(' union all ')
  return { name, sql: `select sum(checked) as checked, sum(violations) as violations from (${counts}) as counts` }
}

/** Makes a rule that requires at least one row of `from` to fulfil `wanted`. */
export function existenceRule(name: string, { from, wanted }: { from: string; wanted: string }): Rule {
  return {
    name,
    sql: `select count(*) as checked, (count(*) filter (where ${wanted}) = 0)::int as violations from ${from}`,
  }
}

export function quotedList(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ')
}
