import { lastDayUntil } from '@muster/model'
import { Figure } from '../../components/Figure.tsx'
import { Stat, StatList } from '../../components/StatList.tsx'
import { Withheld } from '../../components/Withheld.tsx'
import { formatDay, formatLongMonth, formatMonth } from '../../format/dates.ts'
import { formatAxisRate, formatChange, formatInteger, formatShare } from '../../format/numbers.ts'
import { ChartFigure } from '../../kit/ChartFigure.tsx'
import { Section } from '../../kit/Section.tsx'
import type { TableColumn } from '../../kit/Table.tsx'
import { Table } from '../../kit/Table.tsx'
import type { HeadcountRow, LinkedValue } from './headcount-figures.ts'
import { yearFigures } from './headcount-figures.ts'
import { JoinedAndLeft } from './JoinedAndLeft.tsx'
import type { MonthPoint } from './MonthLine.tsx'
import { MonthLine } from './MonthLine.tsx'
import type { Period } from './period.ts'
import { TurnoverFigure } from './TurnoverFigure.tsx'

interface YearStatsProps {
  readonly rows: readonly HeadcountRow[]
  readonly month: string
  readonly isWithheld: boolean
}

/** The twelve months up to the last month-end. */
export const YearStats = ({ rows, month, isWithheld }: YearStatsProps) => {
  const year = yearFigures(rows, month, 'company')
  const count = (name: string, { value, link }: LinkedValue) =>
    value === null ? <Withheld /> : <Figure name={`headcount.${name}`} value={value} link={link} />
  const change =
    year.atEnd.value === null || year.yearBefore.value === null ? undefined : year.atEnd.value - year.yearBefore.value
  return (
    <StatList>
      <Stat label={`At the end of ${formatLongMonth(month)}`}>{count('at_end', year.atEnd)}</Stat>
      <Stat label="A year before" remark={change === undefined ? undefined : `${formatChange(change)} since`}>
        {count('year_before', year.yearBefore)}
      </Stat>
      <Stat label="Joined in 12 months">{count('joined_12m', year.joined)}</Stat>
      <Stat label="Left in 12 months">{count('left_12m', year.left)}</Stat>
      <Stat
        label="12-month turnover"
        remark={
          year.turnoverYearBefore.value === null
            ? undefined
            : `${formatShare(year.turnoverYearBefore.value)} a year before`
        }
      >
        <TurnoverFigure name="headcount.turnover" of={year.turnover} isWithheld={isWithheld} />
      </Stat>
    </StatList>
  )
}

interface MonthChartsProps {
  readonly rows: readonly HeadcountRow[]
  readonly months: readonly string[]
  readonly period: Period
  readonly asOf: string
  readonly isWithheld: boolean
}

export const MonthCharts = ({ rows, months, period, asOf, isWithheld }: MonthChartsProps) => {
  const partMonth = period.to > period.lastWholeMonth ? period.to : undefined
  const table = <MonthTable rows={rows} partMonth={partMonth} isWithheld={isWithheld} />
  return (
    <>
      {isWithheld ? (
        <Section title="People at each month-end">
          <p className="note">
            <Withheld /> These numbers are computed from termination dates, which are personal. Enter a token to see
            them.
          </p>
        </Section>
      ) : (
        <ChartFigure
          title="People at each month-end"
          remark={partMonth === undefined ? undefined : `the open dot is ${formatDay(asOf)}`}
          table={table}
        >
          <MonthLine
            name="headcount.at_end"
            label="People at each month-end"
            months={months}
            points={rows.map(
              (row): MonthPoint => ({
                month: String(row.month),
                value: row.at_end ?? 0,
                link: row.links.at_end,
                label: `${formatDay(lastDayUntil(String(row.month), asOf))}: ${formatInteger(row.at_end ?? 0)}`,
                isPart: row.month === partMonth,
              }),
            )}
            height={224}
            tickCount={4}
            formatTick={formatInteger}
            formatValue={formatInteger}
          />
        </ChartFigure>
      )}
      <ChartFigure
        title={isWithheld ? 'Joined' : 'Joined and left'}
        remark={partMonth === undefined ? undefined : `outlined: ${formatLongMonth(partMonth)} so far`}
        table={table}
      >
        <JoinedAndLeft months={months} rows={rows} partMonth={partMonth} isLeftWithheld={isWithheld} />
      </ChartFigure>
    </>
  )
}

interface TurnoverChartProps {
  readonly rows: readonly HeadcountRow[]
  readonly months: readonly string[]
  readonly lastWholeMonth: string
}

export const TurnoverChart = ({ rows, months, lastWholeMonth }: TurnoverChartProps) => {
  const points = rows.flatMap(({ month, turnover_12m: turnover, links }): MonthPoint[] =>
    month === null || month > lastWholeMonth || turnover === null
      ? []
      : [
          {
            month,
            value: turnover,
            link: links.turnover_12m,
            label: `${formatLongMonth(month)}: ${formatShare(turnover)}`,
            isPart: false,
          },
        ],
  )
  if (points.length === 0)
    return (
      <Section title="12-month turnover">
        <p className="note">Not known yet: it needs 13 month-ends.</p>
      </Section>
    )
  return (
    <ChartFigure title="12-month turnover" table={<MonthTable rows={rows} partMonth={undefined} isWithheld={false} />}>
      <MonthLine
        name="headcount.turnover"
        label="Turnover of the twelve months up to each month-end"
        months={months.filter((month) => month <= lastWholeMonth)}
        points={points}
        height={140}
        tickCount={2}
        formatTick={formatAxisRate}
        formatValue={formatShare}
      />
    </ChartFigure>
  )
}

interface MonthTableProps {
  readonly rows: readonly HeadcountRow[]
  readonly partMonth: string | undefined
  readonly isWithheld: boolean
  /** The key of the group whose months these are, if they are not those of the company. */
  readonly group?: string
}

/** All charts of months share this table. The newest month is on top. */
export const MonthTable = ({ rows, partMonth, isWithheld, group }: MonthTableProps) => {
  const suffix = group === undefined ? '' : `.${group}`
  const figureColumn = (
    column: 'joined' | 'left' | 'moved_in' | 'moved_out' | 'at_end',
    title: string,
  ): TableColumn<HeadcountRow> => ({
    title,
    kind: 'figure',
    cell: ({ month, links, [column]: value }) =>
      value === null ? (
        <Withheld />
      ) : (
        <Figure name={`headcount.${column}.${month}${suffix}`} value={value} link={links[column]} />
      ),
  })
  return (
    <Table
      rows={rows.toReversed()}
      rowKey={({ month }) => String(month)}
      columns={[
        {
          title: 'Month',
          cell: ({ month }) => (
            <>
              {formatMonth(String(month))}
              {month === partMonth ? <span className="muted"> so far</span> : undefined}
            </>
          ),
        },
        figureColumn('joined', 'Joined'),
        figureColumn('left', 'Left'),
        ...(group === undefined ? [] : [figureColumn('moved_in', 'Moved in'), figureColumn('moved_out', 'Moved out')]),
        figureColumn('at_end', 'At the end'),
        group === undefined && {
          title: '12-month turnover',
          kind: 'figure',
          cell: ({ month, links, turnover_12m: value }) => (
            <TurnoverFigure
              name={`headcount.turnover.${month}`}
              of={{ value, link: links.turnover_12m }}
              isWithheld={isWithheld}
            />
          ),
        },
      ]}
    />
  )
}
