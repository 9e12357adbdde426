import { scaleBand, scaleLinear } from '@visx/scale'
import { LinePath } from '@visx/shape'
import { useState } from 'react'
import { MarkLink } from '../../components/MarkLink.tsx'
import type { Tip } from '../../kit/ChartFrame.tsx'
import { ChartFrame } from '../../kit/ChartFrame.tsx'
import { leftMargin, rightMargin } from './chart-layout.ts'
import { monthTicks } from './month-axis.ts'

export interface MonthPoint {
  readonly month: string
  readonly value: number
  readonly link: string | undefined
  /** What the point says, in words. */
  readonly label: string
  /** The month has not ended yet. */
  readonly isPart: boolean
}

interface MonthLineProps {
  /** Prefix of the names of the figures. */
  readonly name: string
  readonly label: string
  readonly months: readonly string[]
  /** In the order of the months. Months may be missing. */
  readonly points: readonly MonthPoint[]
  readonly height: number
  readonly tickCount: number
  readonly formatTick: (value: number) => string
  readonly formatValue: (value: number) => string
}

const top = 14
const bottom = 26

/** A line from month-end to month-end. An open dot is a month that has not ended. */
export const MonthLine = (props: MonthLineProps) => {
  const { name, label, months, points, height, tickCount, formatTick, formatValue } = props
  const [tip, setTip] = useState<Tip>()
  const highest = Math.max(0, ...points.map(({ value }) => value))
  const whole = points.filter(({ isPart }) => !isPart)
  const last = points.at(-1)
  return (
    <ChartFrame label={label} height={height} tip={tip}>
      {(width) => {
        const right = Math.max(leftMargin + 40, width - rightMargin)
        const band = scaleBand({ domain: [...months], range: [leftMargin, right] })
        const y = scaleLinear({ domain: [0, highest || 1], range: [height - bottom, top], nice: tickCount })
        const x = (month: string) => (band(month) ?? 0) + band.bandwidth() / 2
        const showsDots = band.bandwidth() >= 8
        return (
          <>
            {y.ticks(tickCount).map((tick) => (
              <g key={tick}>
                <line data-ink={tick === 0 ? 'axis' : 'grid'} x1={leftMargin} x2={right} y1={y(tick)} y2={y(tick)} />
                <text x={leftMargin - 6} y={y(tick) + 4} textAnchor="end">
                  {formatTick(tick)}
                </text>
              </g>
            ))}
            {monthTicks(months, right - leftMargin).map((tick) => (
              <text key={tick.month} x={x(tick.month)} y={height - 8} textAnchor="middle">
                {tick.label}
              </text>
            ))}
            <LinePath data-ink="line" data={whole} x={({ month }) => x(month)} y={({ value }) => y(value)} />
            {last?.isPart ? (
              <LinePath
                data-ink="line dashed"
                data={points.slice(-2)}
                x={({ month }) => x(month)}
                y={({ value }) => y(value)}
              />
            ) : undefined}
            {points.map((point) => (
              <MarkLink
                key={point.month}
                name={`${name}.${point.month}`}
                value={point.value}
                link={point.link}
                label={point.label}
                isTabStop={point === last}
                onActive={(isActive) =>
                  setTip(isActive ? { x: x(point.month), y: y(point.value) - 20, text: point.label } : undefined)
                }
              >
                <rect
                  data-ink="hit"
                  x={band(point.month)}
                  y={top}
                  width={band.bandwidth()}
                  height={height - bottom - top}
                />
                {showsDots || point === last || point === whole.at(-1) ? (
                  <circle
                    data-ink={point.isPart ? 'open' : 'first'}
                    cx={x(point.month)}
                    cy={y(point.value)}
                    r={point === last ? 3.5 : 2}
                  />
                ) : undefined}
              </MarkLink>
            ))}
            {last === undefined ? undefined : (
              <text data-ink="strong" x={x(last.month) + 9} y={y(last.value) + 4}>
                {formatValue(last.value)}
              </text>
            )}
          </>
        )
      }}
    </ChartFrame>
  )
}
