import { Link } from '@tanstack/react-router'
import { scaleBand, scaleLinear } from '@visx/scale'
import { useState } from 'react'
import { Figure } from '../../components/Figure.tsx'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { ChartFigure } from '../../kit/ChartFigure.tsx'
import type { Tip } from '../../kit/ChartFrame.tsx'
import { ChartFrame } from '../../kit/ChartFrame.tsx'
import { Table } from '../../kit/Table.tsx'
import styles from './ManagersScreen.module.css'
import type { DirectColumn, Manager } from './managers.ts'
import { directColumns, medianOfDirect } from './managers.ts'

const highestColumn = 80
const numberRoom = 16
const axisRoom = 20
const base = numberRoom + highestColumn

/** How many managers have how many direct reports. A column leads to its managers in the list below. */
export const DirectReports = ({ managers }: { readonly managers: readonly Manager[] }) => {
  const columns = directColumns(managers)
  return (
    <ChartFigure
      title="Direct reports"
      remark={
        <>
          <Figure name="managers.total" value={managers.length} /> {plural(managers.length, 'manager', 'managers')},
          median <Figure name="managers.median" value={medianOfDirect(managers)} />
        </>
      }
      table={
        <Table
          rows={columns}
          rowKey={({ key }) => key}
          columns={[
            { title: 'Direct reports', cell: ({ label }) => label },
            {
              title: 'Managers',
              kind: 'figure',
              cell: ({ key, count }) => <Figure name={`managers.with.${key}`} value={count} />,
            },
          ]}
        />
      }
    >
      <Columns columns={columns} />
    </ChartFigure>
  )
}

const Columns = ({ columns }: { readonly columns: readonly DirectColumn[] }) => {
  const [tip, setTip] = useState<Tip>()
  const most = Math.max(1, ...columns.map(({ count }) => count))
  return (
    <ChartFrame label="Managers by number of direct reports" height={base + axisRoom} tip={tip}>
      {(width) => {
        const x = scaleBand({ domain: columns.map(({ key }) => key), range: [0, width], paddingInner: 0.4 })
        const y = scaleLinear({ domain: [0, most], range: [base, base - highestColumn] })
        return (
          <>
            {columns.map(({ key, label, count }, index) => {
              const left = x(key) ?? 0
              const center = left + x.bandwidth() / 2
              const text = columnText(label, count)
              const show = () => setTip({ x: center, y: y(count) - 24, text })
              const hide = () => setTip(undefined)
              return (
                <Link
                  key={key}
                  to="/org/managers"
                  search={(old: SearchOf<'/org/managers'>) => ({ ...old, direct: key, offset: undefined })}
                  resetScroll={false}
                  data-mark
                  aria-label={text}
                  tabIndex={index === 0 ? 0 : -1}
                  onPointerEnter={show}
                  onPointerLeave={hide}
                  onFocus={show}
                  onBlur={hide}
                >
                  <rect data-ink="hit" x={left} y={0} width={x.step()} height={base} />
                  <rect data-ink="first" x={left} y={y(count)} width={x.bandwidth()} height={base - y(count)} />
                  <text
                    className={styles.number}
                    x={center}
                    y={y(count) - 4}
                    textAnchor="middle"
                    data-figure={`managers.with.${key}`}
                    data-value={count}
                  >
                    {formatInteger(count)}
                  </text>
                </Link>
              )
            })}
            {columns.map(({ key }) => (
              <text key={key} x={(x(key) ?? 0) + x.bandwidth() / 2} y={base + 15} textAnchor="middle">
                {key.replace('-', '+')}
              </text>
            ))}
            <line data-ink="axis" x1={0} x2={width} y1={base + 0.5} y2={base + 0.5} />
          </>
        )
      }}
    </ChartFrame>
  )
}

const columnText = (label: string, count: number): string =>
  `${label} direct ${plural(Number(label), 'report', 'reports')}: ${formatInteger(count)} ${plural(count, 'manager', 'managers')}`
