import type { ReportRows } from '@muster/client'
import { minRateSample } from '@muster/model'
import { Figure } from '../../components/Figure.tsx'
import { valueLabel } from '../../format/labels.ts'
import { formatRate } from '../../format/numbers.ts'
import { Legend, Swatch } from '../../kit/Legend.tsx'
import type { TableColumn } from '../../kit/Table.tsx'
import { Table } from '../../kit/Table.tsx'
import styles from './Funnel.module.css'
import table from './StageTable.module.css'

export type FunnelRow = ReportRows['funnel']

/** What became of the applications in each stage. */
export const FunnelTable = ({ rows }: { readonly rows: readonly FunnelRow[] }) => {
  const largest = Math.max(1, ...rows.map(({ reached }) => reached ?? 0))
  return (
    <Table
      className={`${table.stages} ${styles.funnel}`}
      isFlush
      hasLinesOnPhones
      rows={rows}
      rowKey={({ stage }) => String(stage)}
      columns={[
        { title: 'Stage', cell: ({ stage }) => valueLabel(stage ?? 'null') },
        { title: 'Reached', kind: 'figure', cell: (row) => <Count row={row} of="reached" /> },
        {
          key: 'bar',
          kind: 'picture',
          className: table.picture,
          onPhones: 'line',
          cell: (row) => <FunnelBar row={row} largest={largest} />,
        },
        {
          title: 'Went on',
          kind: 'figure',
          onPhones: 'hidden',
          // Nothing comes after the last stage.
          span: (row) => (isLast(row) ? 5 : 1),
          cell: (row) => (isLast(row) ? undefined : <Count row={row} of="passed" />),
        },
        ...(['rejected', 'withdrawn', 'active'] as const).map(
          (column): TableColumn<FunnelRow> => ({
            title: column === 'active' ? 'Active now' : valueLabel(column),
            kind: 'figure',
            onPhones: 'hidden',
            cell: (row) => <Count row={row} of={column} />,
          }),
        ),
        {
          title: 'Pass rate',
          kind: 'figure',
          onPhones: 'line',
          cell: ({ stage, pass_rate: rate, links }) => (
            <>
              {rate === null ? (
                <span className="muted">under {minRateSample}</span>
              ) : (
                <Figure name={`funnel.${stage}.pass_rate`} value={rate} link={links.pass_rate}>
                  {formatRate(rate)}
                </Figure>
              )}{' '}
              <span className="only-phone">pass</span>
            </>
          ),
        },
      ]}
    />
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
  <Legend label="Colours of the bars">
    <li>
      <Swatch className={styles.passed} />
      went on
    </li>
    <li>
      <Swatch className={styles.ended} />
      ended here
    </li>
    <li>
      <Swatch className={`hatch ${styles.active} ${styles.swatch}`} />
      active here now
    </li>
  </Legend>
)
