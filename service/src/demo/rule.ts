/** In charge of what a rule of the invented company is: a sentence, and a query that counts what it looked at and what breaks it. */

export interface Rule {
  readonly name: string
  /** Answers one row with `checked` and `violations`. */
  readonly sql: string
}

/** The company's today, as the seed noted it. */
export const AS_OF = '(select as_of from muster_seed)'

interface Counting {
  readonly from: string
  /** True for a row that breaks the rule; null counts as broken, so that a missing value cannot hide. */
  readonly broken: string
}

/** The common shape: every row of a query is looked at once. */
export function counting(name: string, { from, broken }: Counting): Rule {
  return {
    name,
    sql: `select count(*) as checked, count(*) filter (where (${broken}) is not false) as violations from ${from}`,
  }
}

/** Several such counts under one name. */
export function together(name: string, parts: readonly Counting[]): Rule {
  const counts = parts.map((part) => counting(name, part).sql).join(' union all ')
  return { name, sql: `select sum(checked) as checked, sum(violations) as violations from (${counts}) as counts` }
}

export function listed(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ')
}
