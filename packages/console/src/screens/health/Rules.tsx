import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Figure } from '../../components/Figure.tsx'
import { Section } from '../../components/Section.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import tableStyles from '../../components/Table.module.css'
import { Withheld } from '../../components/Withheld.tsx'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import styles from './HealthScreen.module.css'
import type { RuleResult, RuleSummary } from './rule-results.ts'
import { summarize, worstFirst } from './rule-results.ts'

interface RulesProps {
  readonly results: readonly RuleResult[]
  readonly checkedAt: number
}

export const Rules = ({ results, checkedAt }: RulesProps) => {
  const summary = summarize(results)
  const isDone = summary.waiting === 0
  return (
    <Section
      title="Rules"
      remark={isDone ? `checked ${timeText(checkedAt)}` : undefined}
      aside={isDone ? undefined : <Progress summary={summary} />}
    >
      <p className={styles.sentence} role="status">
        {isDone ? sentence(summary) : `Checking ${formatInteger(summary.rules)} rules …`}
      </p>
      <table className={`${tableStyles.table} ${styles.rules}`}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Result</span>
            </th>
            <th scope="col">Rule</th>
            <th scope="col" className="only-wide">
              Resource
            </th>
            <th scope="col" className={`${tableStyles.figure} only-wide`}>
              Checked
            </th>
            <th scope="col" className={tableStyles.figure}>
              Broken
            </th>
          </tr>
        </thead>
        <tbody>
          {/* Rows move only once, when all results are there: nobody can read a list that keeps moving. */}
          {(isDone ? worstFirst(results) : results).map((result) => (
            <Rule key={result.rule} result={result} />
          ))}
        </tbody>
      </table>
    </Section>
  )
}

const Rule = ({ result }: { readonly result: RuleResult }) => {
  const { rule, about, resource, state, checked, broken, checkedLink, brokenLink } = result
  const row = useRef<HTMLTableRowElement>(null)
  const isChosen = useSearch({ from: '/health' }).rule === rule
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'center' })
  }, [isChosen])
  return (
    <tr ref={row} className={isChosen ? styles.chosen : undefined} aria-current={isChosen || undefined}>
      <td>
        <Result result={result} />
      </td>
      <th scope="row">
        {valueLabel(rule)} <span className={styles.about}>{plainText(about)}</span>
      </th>
      <td className="only-wide">{resource}</td>
      <td className={`${tableStyles.figure} only-wide`}>
        {checked === undefined ? undefined : (
          <Figure name={`health.checked.${rule}`} value={checked} link={checkedLink} />
        )}
      </td>
      <td className={[tableStyles.figure, state === 'holds' && styles.zero].filter(Boolean).join(' ')}>
        {state === 'withheld' ? (
          <Withheld />
        ) : state === 'failed' ? (
          'not checked'
        ) : broken === undefined ? undefined : (
          <Figure name={`health.broken.${rule}`} value={broken} link={brokenLink} />
        )}
      </td>
    </tr>
  )
}

const Result = ({ result: { state, severity } }: { readonly result: RuleResult }) => {
  if (state === 'broken') return <StatusMark status={severity} />
  if (state === 'holds') return <StatusMark status="good" label="Holds" />
  return (
    <span className="visually-hidden">{{ waiting: 'Waiting', withheld: 'Withheld', failed: 'Failed' }[state]}</span>
  )
}

const Progress = ({ summary: { rules, waiting } }: { readonly summary: RuleSummary }) => (
  <span className={styles.progress}>
    <span className="number">
      {formatInteger(rules - waiting)} of {formatInteger(rules)}
    </span>
    <progress aria-label="Rules checked" value={rules - waiting} max={Math.max(1, rules)} />
  </span>
)

/** The result in one sentence. */
const sentence = ({ rules, broken, findings, withheld, failed }: RuleSummary): string => {
  const checkedRules = rules - withheld - failed
  const parts = [
    broken === 0
      ? `All ${formatInteger(checkedRules)} checked rules hold.`
      : `${formatInteger(broken)} of ${formatInteger(checkedRules)} rules ${plural(broken, 'is', 'are')} broken, with ${formatInteger(findings)} ${plural(findings, 'finding', 'findings')}.`,
    withheld === 0
      ? ''
      : `${formatInteger(withheld)} ${plural(withheld, 'rule reads', 'rules read')} personal fields and ${plural(withheld, 'needs', 'need')} a token.`,
    failed === 0 ? '' : `${formatInteger(failed)} could not be checked.`,
  ]
  return parts.filter(Boolean).join(' ')
}

const plainText = (about: string): string => about.replaceAll('`', '').replace(/\.$/, '')

const timeText = (time: number): string => `${new Date(time).toISOString().slice(11, 16)} UTC`
