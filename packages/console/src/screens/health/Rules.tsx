import { useSearch } from '@tanstack/react-router'
import { Figure } from '../../components/Figure.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import { Withheld } from '../../components/Withheld.tsx'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { Section } from '../../kit/Section.tsx'
import { Table } from '../../kit/Table.tsx'
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
  const chosen = useSearch({ from: '/health' }).rule
  return (
    <Section
      title="Rules"
      remark={isDone ? `checked ${timeText(checkedAt)}` : undefined}
      aside={isDone ? undefined : <Progress summary={summary} />}
    >
      <p className={styles.sentence} role="status">
        {isDone ? sentence(summary) : `Checking ${formatInteger(summary.rules)} rules …`}
      </p>
      {/* Rows move only once, when all results are there: nobody can read a list that keeps moving. */}
      <Table
        className={styles.rules}
        isFlush
        rows={isDone ? worstFirst(results) : results}
        rowKey={({ rule }) => rule}
        currentKey={chosen}
        rowClassName={({ rule }) => (rule === chosen ? styles.chosen : undefined)}
        columns={[
          {
            key: 'result',
            title: <span className="visually-hidden">Result</span>,
            cell: (result) => <Result result={result} />,
          },
          {
            title: 'Rule',
            isRowHead: true,
            cell: ({ rule, about }) => (
              <>
                {valueLabel(rule)} <span className={styles.about}>{plainText(about)}</span>
              </>
            ),
          },
          { title: 'Resource', className: 'only-wide', cell: ({ resource }) => resource },
          {
            title: 'Checked',
            kind: 'figure',
            className: 'only-wide',
            cell: ({ rule, checked, checkedLink }) =>
              checked === undefined ? undefined : (
                <Figure name={`health.checked.${rule}`} value={checked} link={checkedLink} />
              ),
          },
          {
            title: 'Broken',
            kind: 'figure',
            cellClassName: ({ state }) => state === 'holds' && styles.zero,
            cell: ({ rule, state, broken, brokenLink }) =>
              state === 'withheld' ? (
                <Withheld />
              ) : state === 'failed' ? (
                'not checked'
              ) : broken === undefined ? undefined : (
                <Figure name={`health.broken.${rule}`} value={broken} link={brokenLink} />
              ),
          },
        ]}
      />
    </Section>
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
