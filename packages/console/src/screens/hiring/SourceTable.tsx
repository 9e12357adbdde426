import { Figure } from '../../components/Figure.tsx'
import tableStyles from '../../components/Table.module.css'
import { valueLabel } from '../../format/labels.ts'
import { formatOneDecimal } from '../../format/numbers.ts'
import { listPath } from '../../service/requests.ts'
import type { SourceOutcome } from './cohort.ts'
import { endedStatuses, isFilterable, smallestSample } from './cohort.ts'
import styles from './Funnel.module.css'

export const sourceLabel = (source: string | null): string => (source === null ? 'No source' : valueLabel(source))

interface SourceTableProps {
  /** Prefix of the names of the figures. */
  readonly name: string
  readonly outcomes: readonly SourceOutcome[]
  /** The filters of all these applications. */
  readonly filters: object
}

export const SourceTable = ({ name, outcomes, filters }: SourceTableProps) => {
  const largest = Math.max(1, ...outcomes.map(({ applications }) => applications))
  return (
    <div className={styles.sources}>
      <table className={tableStyles.table}>
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col" className={tableStyles.figure}>
              Applications
            </th>
            <td className={styles.bars} />
            <th scope="col" className={tableStyles.figure}>
              Hired
            </th>
            <th scope="col" className={tableStyles.figure}>
              Hired per 1,000 ended
            </th>
          </tr>
        </thead>
        <tbody>
          {outcomes.map(({ source, applications, hired, hiredShare }) => {
            const key = source ?? 'null'
            const link = (filter: object) =>
              isFilterable(source)
                ? listPath('applications', { ...filters, 'candidate.source': source, ...filter })
                : undefined
            return (
              <tr key={key}>
                <th scope="row">{sourceLabel(source)}</th>
                <td className={tableStyles.figure}>
                  <Figure name={`${name}.${key}.applications`} value={applications} link={link({})} />
                </td>
                <td className={styles.bars}>
                  <span
                    className={styles.track}
                    style={{ inlineSize: `${(applications / largest) * 100}%` }}
                    aria-hidden
                  />
                </td>
                <td className={tableStyles.figure}>
                  <Figure name={`${name}.${key}.hired`} value={hired} link={link({ status: 'hired' })} />
                </td>
                <td className={tableStyles.figure}>
                  {hiredShare === undefined ? (
                    <span className="muted">under {smallestSample}</span>
                  ) : (
                    <Figure
                      name={`${name}.${key}.hired_per_1000`}
                      value={hiredShare * 1_000}
                      link={link({ status: endedStatuses })}
                    >
                      {formatOneDecimal(hiredShare * 1_000)}
                    </Figure>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
