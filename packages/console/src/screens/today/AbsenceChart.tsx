import type { ReportRows } from '@muster/client'
import { scaleBand, scaleLinear } from '@visx/scale'
import { useState } from 'react'
import { Figure } from '../../components/Figure.tsx'
import { MarkLink } from '../../components/MarkLink.tsx'
import { formatShortDay, formatWeekday } from '../../format/dates.ts'
import { valueLabel } from '../../format/labels.ts'
import { formatAxisRate, formatInteger, formatRate } from '../../format/numbers.ts'
import type { Tip } from '../../kit/ChartFrame.tsx'
import { ChartFrame } from '../../kit/ChartFrame.tsx'
import type { TableColumn } from '../../kit/Table.tsx'
import { Table } from '../../kit/Table.tsx'
import { chartDays, labelledDays } from './absence-days.ts'

type AttendanceRow = ReportRows['attendance']

interface AbsenceChartProps {
  readonly rows: readonly AttendanceRow[]
  readonly from: string
  readonly to: string
}

const height = 112
const top = 12
const bottom = 24
const axisWidth = 44

/** A recorded day without absence is still visible. */
const barHeight = (pixels: number): number => Math.max(1.5, pixels)

/** The absence rate of each day as a bar. The last recorded day is emphasized. */
export const AbsenceChart = ({ rows, from, to }: AbsenceChartProps) => {
  const [tip, setTip] = useState<Tip>()
  const rowsByDay = new Map(rows.map((row) => [String(row.group), row]))
  const days = chartDays(from, to, new Set(rowsByDay.keys()))
  const lastDay = String(rows.at(-1)?.group)
  const highest = Math.max(0.001, ...rows.map(({ absence_rate: rate }) => rate ?? 0))
  return (
    <ChartFrame
      label={`Absent without leave per day, ${formatWeekday(from)} to ${formatWeekday(to)}`}
      height={height}
      tip={tip}
    >
      {(width) => {
        const x = scaleBand({ domain: days, range: [0, width - axisWidth], paddingInner: 0.16 })
        const y = scaleLinear({ domain: [0, highest], range: [height - bottom, top], nice: 2 })
        return (
          <>
            {y.ticks(2).map((tick) => (
              <g key={tick}>
                <line data-ink={tick === 0 ? 'axis' : 'grid'} x1={0} x2={width - axisWidth} y1={y(tick)} y2={y(tick)} />
                {tick === 0 ? undefined : (
                  <text x={width} y={y(tick) + 4} textAnchor="end">
                    {formatAxisRate(tick)}
                  </text>
                )}
              </g>
            ))}
            {labelledDays(days, width).map((day) => (
              <text key={day} x={x(day)} y={height - 8}>
                {formatShortDay(day)}
              </text>
            ))}
            {days.map((day) => {
              const row = rowsByDay.get(day)
              if (row === undefined || row.absence_rate === null) return undefined
              const left = x(day) ?? 0
              const label = `${formatWeekday(day)}: ${formatRate(row.absence_rate)}, ${formatInteger(row.absent ?? 0)} absent`
              return (
                <MarkLink
                  key={day}
                  name={`today.absence_rate.${day}`}
                  value={row.absence_rate}
                  link={row.links.absence_rate}
                  label={label}
                  isTabStop={day === lastDay}
                  onActive={(isActive) =>
                    setTip(isActive ? { x: left + x.bandwidth() / 2, y: top, text: label } : undefined)
                  }
                >
                  <rect data-ink="hit" x={left} y={top} width={x.bandwidth()} height={height - bottom - top} />
                  <rect
                    data-ink={day === lastDay ? 'first' : 'base'}
                    x={left}
                    y={height - bottom - barHeight(height - bottom - y(row.absence_rate))}
                    width={x.bandwidth()}
                    height={barHeight(height - bottom - y(row.absence_rate))}
                  />
                </MarkLink>
              )
            })}
          </>
        )
      }}
    </ChartFrame>
  )
}

export const AbsenceTable = ({ rows }: { readonly rows: readonly AttendanceRow[] }) => (
  <Table
    rows={rows.toReversed()}
    rowKey={({ group }) => String(group)}
    columns={[
      { title: 'Day', cell: ({ group }) => formatWeekday(String(group)) },
      ...(['recorded', 'on_leave', 'absent'] as const).map(
        (column): TableColumn<AttendanceRow> => ({
          title: valueLabel(column),
          kind: 'figure',
          cell: ({ group, links, [column]: value }) => (
            <Figure name={`today.${column}.${group}`} value={value ?? 0} link={links[column]} />
          ),
        }),
      ),
      {
        title: 'Absent without leave',
        kind: 'figure',
        cell: ({ group, links, absence_rate: rate }) =>
          rate === null ? (
            <span className="muted">null</span>
          ) : (
            <Figure name={`today.absence_rate.${group}`} value={rate} link={links.absence_rate}>
              {formatRate(rate)}
            </Figure>
          ),
      },
    ]}
  />
)
