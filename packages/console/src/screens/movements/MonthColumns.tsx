import { scaleBand, scaleLinear } from '@visx/scale'
import { useState } from 'react'
import { MarkLink } from '../../components/MarkLink.tsx'
import { formatInteger } from '../../format/numbers.ts'
import type { Tip } from '../../kit/ChartFrame.tsx'
import { ChartFrame } from '../../kit/ChartFrame.tsx'
import { monthTicks } from '../headcount/month-axis.ts'
import styles from './Movements.module.css'

export interface MonthColumn {
  readonly month: string
  readonly value: number
  readonly link: string
  /** What the column says, in words. */
  readonly label: string
  /** The month has not ended yet. */
  readonly isPart: boolean
}

interface MonthColumnsProps {
  /** Prefix of the names of the figures. */
  readonly name: string
  readonly label: string
  readonly months: readonly string[]
  /** In the order of the months. Months may be missing. */
  readonly columns: readonly MonthColumn[]
  /** How many of the first months are not recorded. */
  readonly unknownMonths: number
  /** The value of the scale that several rows of columns share. */
  readonly highest: number
  readonly hasAxis: boolean
}

const highestColumn = 80
const numberRoom = 16
const axisRoom = 20
/** Numbers are printed at columns that are at least this wide, in pixels. */
const widthForNumbers = 12

/** A row of columns, as high as its highest column. */
export const MonthColumns = (props: MonthColumnsProps) => {
  const { name, label, months, columns, unknownMonths, highest, hasAxis } = props
  const [tip, setTip] = useState<Tip>()
  const most = Math.max(0, ...columns.map(({ value }) => value))
  const base = numberRoom + Math.max(8, Math.ceil((most / highest) * highestColumn))
  return (
    <ChartFrame label={label} height={base + (hasAxis ? axisRoom : 1)} tip={tip}>
      {(width) => {
        const x = scaleBand({ domain: [...months], range: [0, width], paddingInner: 0.5, paddingOuter: 0.25 })
        const y = scaleLinear({ domain: [0, highest], range: [base, base - highestColumn] })
        const center = (month: string) => (x(month) ?? 0) + x.bandwidth() / 2
        return (
          <>
            {unknownMonths === 0 ? undefined : (
              <foreignObject x={0} y={0} width={x.step() * unknownMonths} height={base}>
                <div className={`hatch ${styles.unknown}`} />
              </foreignObject>
            )}
            {columns.map(({ month, value, link, label: text, isPart }, index) => (
              <MarkLink
                key={month}
                name={`${name}.${month}`}
                value={value}
                link={link}
                label={text}
                isTabStop={index === columns.length - 1}
                onActive={(isActive) => setTip(isActive ? { x: center(month), y: y(value) - 24, text } : undefined)}
              >
                <rect data-ink="hit" x={center(month) - x.step() / 2} y={0} width={x.step()} height={base} />
                <rect
                  data-ink="first"
                  data-part={isPart ? true : undefined}
                  x={x(month)}
                  y={y(value)}
                  width={x.bandwidth()}
                  height={base - y(value)}
                />
                {x.bandwidth() < widthForNumbers ? undefined : (
                  <text className={styles.number} x={center(month)} y={y(value) - 4} textAnchor="middle">
                    {formatInteger(value)}
                  </text>
                )}
              </MarkLink>
            ))}
            <line data-ink="axis" x1={0} x2={width} y1={base + 0.5} y2={base + 0.5} />
            {hasAxis
              ? monthTicks(months, width).map((tick) => (
                  <text key={tick.month} x={center(tick.month)} y={base + 15} textAnchor="middle">
                    {tick.label}
                  </text>
                ))
              : undefined}
          </>
        )
      }}
    </ChartFrame>
  )
}
