import type { ReportRows } from '@muster/client'
import { minRateSample } from '@muster/model'
import { Figure } from '../../components/Figure.tsx'
import legendStyles from '../../components/Legend.module.css'
import tableStyles from '../../components/Table.module.css'
import { valueLabel } from '../../format/labels.ts'
import { formatRate } from '../../format/numbers.ts'
import styles from './Funnel.module.css'

export type FunnelRow = ReportRows['funnel']

/** What became of the applications in each stage. */
export const FunnelTable = ({ rows }: { readonly rows: readonly FunnelRow[] }) => {
  const largest = Math.max(1, ...rows.map(({ reached }) => reached ?? 0))
  return (
    <div className={styles.funnel}>
      <table className={tableStyles.table}>
        <thead>
          <tr>
            <th scope="col">Stage</th>
            <th scope="col" className={tableStyles.figure}>
              Reached
            </th>
            <td className={styles.bars} />
            <th scope="col" className={tableStyles.figure}>
              Went on
            </th>
            <th scope="col" className={tableStyles.figure}>
              Rejected
            </th>
            <th scope="col" className={tableStyles.figure}>
              Withdrawn
            </th>
            <th scope="col" className={tableStyles.figure}>
              Active now
            </th>
            <th scope="col" className={tableStyles.figure}>
              Pass rate
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.stage}>
              <th scope="row">{valueLabel(row.stage ?? 'null')}</th>
              <td className={tableStyles.figure}>
                <Count row={row} of="reached" />
              </td>
              <td className={styles.bars}>
                <FunnelBar row={row} largest={largest} />
              </td>
              {isLast(row) ? (
                <td colSpan={5} className={styles.rest} />
              ) : (
                <>
                  {(['passed', 'rejected', 'withdrawn', 'active'] as const).map((column) => (
                    <td key={column} className={`${tableStyles.figure} ${styles.detail}`}>
                      <Count row={row} of={column} />
                    </td>
                  ))}
                  <td className={`${tableStyles.figure} ${styles.rate}`}>
                    {row.pass_rate === null ? (
                      <span className="muted">under {minRateSample}</span>
                    ) : (
                      <Figure name={`funnel.${row.stage}.pass_rate`} value={row.pass_rate} link={row.links.pass_rate}>
                        {formatRate(row.pass_rate)}
                      </Figure>
                    )}{' '}
                    <span className="only-phone">pass</span>
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Nobody goes on from a hire: all who reached it are hired. */
const isLast = ({ stage }: FunnelRow): boolean => stage === 'hired'

interface CountProps {
  readonly row: FunnelRow
  readonly of: 'reached' | 'passed' | 'rejected' | 'withdrawn' | 'active'
}

const Count = ({ row, of: column }: CountProps) => (
  <Figure name={`funnel.${row.stage}.${column}`} value={row[column] ?? 0} link={row.links[column]} />
)

const FunnelBar = ({ row, largest }: { readonly row: FunnelRow; readonly largest: number }) => {
  const [passed, ended, active] = isLast(row)
    ? [row.reached ?? 0, 0, 0]
    : [row.passed ?? 0, (row.rejected ?? 0) + (row.withdrawn ?? 0), row.active ?? 0]
  const width = (value: number) => ({ inlineSize: `${(value / largest) * 100}%` })
  return (
    <span className={styles.bar} aria-hidden>
      {passed === 0 ? undefined : <span className={styles.passed} style={width(passed)} />}
      {ended === 0 ? undefined : <span className={styles.ended} style={width(ended)} />}
      {active === 0 ? undefined : <span className={`hatch ${styles.active}`} style={width(active)} />}
    </span>
  )
}

export const FunnelLegend = () => (
  <ul className={legendStyles.legend} aria-label="Colours of the bars">
    <li>
      <span className={`${legendStyles.swatch} ${styles.passed}`} aria-hidden />
      went on
    </li>
    <li>
      <span className={`${legendStyles.swatch} ${styles.ended}`} aria-hidden />
      ended here
    </li>
    <li>
      <span className={`${legendStyles.swatch} hatch ${styles.active} ${styles.swatch}`} aria-hidden />
      active here now
    </li>
  </ul>
)
