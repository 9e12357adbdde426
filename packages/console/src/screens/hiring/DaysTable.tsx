import { Figure } from '../../components/Figure.tsx'
import tableStyles from '../../components/Table.module.css'
import { formatDecimal } from '../../format/numbers.ts'
import styles from './Days.module.css'
import type { Spread } from './days.ts'

export interface DaysRow {
  readonly key: string
  readonly label: string
  readonly spread: Spread
}

interface DaysTableProps {
  /** What a row is: `Source`. */
  readonly head: string
  /** Prefix of the names of the figures. */
  readonly name: string
  readonly rows: readonly DaysRow[]
  /** The end of the scale, in days. */
  readonly end: number
}

/** Days to hire by group: the median, the range up to the 90th percentile, and the shortest to the longest. */
export const DaysTable = ({ head, name, rows, end }: DaysTableProps) => (
  <div className={styles.table}>
    <table className={tableStyles.table}>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col" className={tableStyles.figure}>
            n
          </th>
          <td className={styles.scale}>
            <span className={styles.ends} aria-hidden>
              <span>0</span>
              <span>days</span>
              <span>{end}</span>
            </span>
          </td>
          <th scope="col" className={tableStyles.figure}>
            Median
          </th>
          <th scope="col" className={tableStyles.figure}>
            <abbr title="90th percentile: 90 % of the hires took at most this many days">p90</abbr>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, spread }) => (
          <tr key={key}>
            <th scope="row" className={styles.group}>
              <bdi>{label}</bdi>
            </th>
            <td className={tableStyles.figure}>
              <Figure name={`${name}.${key}.n`} value={spread.n} link={spread.link} />
            </td>
            <td className={styles.scale}>
              <SpreadBar spread={spread} end={end} />
            </td>
            <td className={tableStyles.figure}>
              <Figure name={`${name}.${key}.median`} value={spread.median} link={spread.link}>
                {formatDecimal(spread.median)}
              </Figure>
            </td>
            <td className={tableStyles.figure}>
              <Figure name={`${name}.${key}.p90`} value={spread.p90} link={spread.link}>
                {formatDecimal(spread.p90)}
              </Figure>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const SpreadBar = ({ spread: { min, median, p90, max }, end }: { readonly spread: Spread; readonly end: number }) => {
  const at = (days: number) => `${(days / end) * 100}%`
  return (
    <span className={styles.bar} aria-hidden>
      <span className={styles.barWhole} style={{ insetInlineStart: at(min), inlineSize: at(max - min) }} />
      <span className={styles.barUpper} style={{ insetInlineStart: at(median), inlineSize: at(p90 - median) }} />
      <span className={styles.barMedian} style={{ insetInlineStart: at(median) }} />
    </span>
  )
}
