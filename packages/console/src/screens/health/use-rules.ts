import type { Client, ReportRows } from '@muster/client'
import { MusterError } from '@muster/client'
import type { HealthRuleName } from '@muster/model'
import { healthRule, personalHealthRuleNames } from '@muster/model'
import { useQueries } from '@tanstack/react-query'
import { reportQuery, useReport, useServiceInfo } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { useSession } from '../../service/session.tsx'
import { useIsWithheld } from '../../service/use-is-withheld.ts'
import { createRequestQueue } from './request-queue.ts'
import type { RuleResult, RuleState } from './rule-results.ts'

type RuleRow = ReportRows['dataHealth']

/** Each rule reads whole tables, so few are checked at once. */
const queue = createRequestQueue(3)

const personalRules: ReadonlySet<string> = new Set(personalHealthRuleNames)

/** The report about one rule, sent when its turn comes. */
const ruleQuery = (client: Client, rule: HealthRuleName) => ({
  queryKey: reportQuery(client, 'dataHealth', { rule }).queryKey,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    queue(() => client.reports.dataHealth({ rule }, { signal }), signal),
})

/** The list of rules, and the results of the rules as they come. */
export const useRules = () => {
  const { client } = useSession()
  const list = useReport('dataHealth', {})
  const info = useServiceInfo()
  const isWithheld = useIsWithheld()
  const rules = (list.data?.data ?? []).flatMap((row) => {
    const declared = healthRule(String(row.rule))
    return declared === undefined ? [] : { ...row, rule: declared.name }
  })
  const checks = useQueries({
    queries: rules.map(({ rule }) => ({
      ...ruleQuery(client, rule),
      // Rules about personal fields are only sent if the service is known to answer them.
      enabled: !personalRules.has(rule) || (!info.isPending && isWithheld !== true),
      // The check is repeated by its button, not whenever the window gets the focus.
      staleTime: Number.POSITIVE_INFINITY,
    })),
  })
  const results = rules.map((rule, index): RuleResult => {
    const check = checks[index]
    const row = check?.data?.data[0]
    return {
      rule: rule.rule,
      severity: rule.severity === 'error' ? 'error' : 'warning',
      about: rule.about ?? '',
      resource: rule.resource ?? '',
      state: stateOf(
        row,
        check?.isFetching ?? true,
        isRefusal(check?.error ?? null) || (isWithheld === true && personalRules.has(rule.rule)),
        check?.error != null,
      ),
      checked: row?.checked ?? undefined,
      broken: row?.broken ?? undefined,
      checkedLink: row?.links.checked ?? listPath(String(rule.resource)),
      brokenLink: row?.links.broken,
    }
  })
  return {
    list,
    results,
    /** When the newest result arrived, in milliseconds. */
    checkedAt: Math.max(0, ...checks.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    checkAgain: () => {
      for (const [index, check] of checks.entries()) if (results[index]?.state !== 'withheld') void check.refetch()
    },
  }
}

const stateOf = (row: RuleRow | undefined, isFetching: boolean, isRefused: boolean, isFailed: boolean): RuleState => {
  if (isRefused) return 'withheld'
  if (isFetching) return 'waiting'
  if (isFailed) return 'failed'
  if (row === undefined) return 'waiting'
  return (row.broken ?? 0) > 0 ? 'broken' : 'holds'
}

/** Whether the service refuses a rule because it reads personal fields. */
const isRefusal = (error: Error | null): boolean =>
  error instanceof MusterError && error.problems.some(({ type }) => type === 'field_redacted')
