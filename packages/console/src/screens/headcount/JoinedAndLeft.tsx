import { scaleBand, scaleLinear } from '@visx/scale'
import { useState } from 'react'
import { MarkLink } from '../../components/MarkLink.tsx'
import { formatLongMonth } from '../../format/dates.ts'
import { formatInteger } from '../../format/numbers.ts'
import type { Tip } from '../../kit/ChartFrame.tsx'
import { ChartFrame } from '../../kit/ChartFrame.tsx'
import { leftMargin, rightMargin } from './chart-layout.ts'
import type { HeadcountRow } from './headcount-figures.ts'
import { monthTicks } from './month-axis.ts'

interface JoinedAndLeftProps {
  readonly months: readonly string[]
  readonly rows: readonly HeadcountRow[]
  /** The month that has not ended, if the period has one. */
  readonly partMonth: string | undefined
  /** If the numbers of people who left are withheld, only those who joined are drawn. */
  readonly isLeftWithheld: boolean
}

const height = 192
const top = 6
const bottom = 26
/** Numbers are printed at bars that are at least this wide, in pixels. */
const widthForNumbers = 12

/** Bars of those who joined, upwards, and of those who left, downwards. */
export const JoinedAndLeft = ({ months, rows, partMonth, isLeftWithheld }: JoinedAndLeftProps) => {
  const [tip, setTip] = useState<Tip>()
  const mostJoined = Math.max(1, ...rows.map(({ joined }) => joined ?? 0))
  const mostLeft = Math.max(0, ...rows.map(({ left }) => left ?? 0))
  const columns = (isLeftWithheld ? ['joined'] : ['joined', 'left']) as ('joined' | 'left')[]
  return (
    <ChartFrame
      label={isLeftWithheld ? 'Joined per month' : 'Joined and left per month'}
      height={height}
      tip={tip}
      columns={rows.length}
    >
      {(width) => {
        const right = Math.max(leftMargin + 40, width - rightMargin)
        const x = scaleBand({ domain: [...months], range: [leftMargin, right], paddingInner: 0.36, paddingOuter: 0.18 })
        const showsNumbers = x.bandwidth() >= widthForNumbers
        const numberRoom = showsNumbers ? 14 : 0
        const y = scaleLinear({
          domain: [-mostLeft, mostJoined],
          range: [height - bottom - (isLeftWithheld ? 0 : numberRoom), top + numberRoom],
        })
        return (
          <>
            {y.ticks(4).map((tick) => (
              <g key={tick}>
                {tick === 0 ? undefined : <line data-ink="grid" x1={leftMargin} x2={right} y1={y(tick)} y2={y(tick)} />}
                <text x={leftMargin - 6} y={y(tick) + 4} textAnchor="end">
                  {formatInteger(Math.abs(tick))}
                </text>
              </g>
            ))}
            {columns.map((column) =>
              rows.map((row, index) => {
                const month = String(row.month)
                const value = row[column] ?? 0
                const isUp = column === 'joined'
                const end = y(isUp ? value : -value)
                const left = x(month) ?? 0
                const isPart = month === partMonth
                const label = `${formatLongMonth(month)}: ${formatInteger(value)} ${column}${isPart ? ' so far' : ''}`
                return (
                  <MarkLink
                    key={`${column} ${month}`}
                    name={`headcount.${column}.${month}`}
                    value={value}
                    link={row.links[column]}
                    label={label}
                    isTabStop={isUp && index === rows.length - 1}
                    onActive={(isActive) =>
                      setTip(
                        isActive
                          ? { x: left + x.bandwidth() / 2, y: isUp ? end - 12 : end + 12, text: label }
                          : undefined,
                      )
                    }
                  >
                    <rect
                      data-ink="hit"
                      x={left - (x.step() - x.bandwidth()) / 2}
                      y={isUp ? top : y(0)}
                      width={x.step()}
                      height={isUp ? y(0) - top : height - bottom - y(0)}
                    />
                    <rect
                      data-ink={isUp ? 'first' : 'second'}
                      data-part={isPart ? true : undefined}
                      x={left}
                      y={isUp ? end : y(0) + 0.5}
                      width={x.bandwidth()}
                      height={Math.max(0, Math.abs(end - y(0)) - 0.5)}
                    />
                    {showsNumbers ? (
                      <text x={left + x.bandwidth() / 2} y={isUp ? end - 4 : end + 12} textAnchor="middle">
                        {formatInteger(value)}
                      </text>
                    ) : undefined}
                  </MarkLink>
                )
              }),
            )}
            <line data-ink="axis" x1={leftMargin} x2={right} y1={y(0)} y2={y(0)} />
            {monthTicks(months, right - leftMargin).map((tick) => (
              <text key={tick.month} x={(x(tick.month) ?? 0) + x.bandwidth() / 2} y={height - 6} textAnchor="middle">
                {tick.label}
              </text>
            ))}
            <text data-ink="label" x={right + 8} y={y(0) - 8}>
              joined
            </text>
            {isLeftWithheld ? undefined : (
              <text data-ink="label" x={right + 8} y={y(0) + 16}>
                left
              </text>
            )}
          </>
        )
      }}
    </ChartFrame>
  )
}
