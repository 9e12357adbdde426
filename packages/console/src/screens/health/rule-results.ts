export type RuleState = 'waiting' | 'withheld' | 'failed' | 'broken' | 'holds'

export interface RuleResult {
  readonly rule: string
  readonly severity: 'error' | 'warning'
  readonly about: string
  readonly resource: string
  readonly state: RuleState
  /** Undefined unless the rule was checked. */
  readonly checked: number | undefined
  readonly broken: number | undefined
  readonly checkedLink: string | undefined
  readonly brokenLink: string | undefined
}

export interface RuleSummary {
  readonly rules: number
  readonly waiting: number
  readonly withheld: number
  readonly failed: number
  readonly broken: number
  /** Broken records, added up over the rules. A record that breaks two rules counts twice. */
  readonly findings: number
}

export const summarize = (results: readonly RuleResult[]): RuleSummary => {
  const count = (state: RuleState): number => results.filter((result) => result.state === state).length
  return {
    rules: results.length,
    waiting: count('waiting'),
    withheld: count('withheld'),
    failed: count('failed'),
    broken: count('broken'),
    findings: results.reduce((total, { broken = 0 }) => total + broken, 0),
  }
}

/** What is wrong comes first: broken errors, broken warnings, failed checks. The rest keeps its order. */
export const worstFirst = (results: readonly RuleResult[]): RuleResult[] => {
  const rank = ({ state, severity }: RuleResult): number => {
    if (state === 'broken') return severity === 'error' ? 0 : 1
    return { failed: 2, waiting: 3, holds: 3, withheld: 4 }[state]
  }
  return results.toSorted((a, b) => rank(a) - rank(b))
}
