import { addMonths } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { scaleLinear, scalePoint } from '@visx/scale'
import { AreaClosed, LinePath } from '@visx/shape'
import { useState } from 'react'
import { dataLocation } from '../../components/data-links.ts'
import figureStyles from '../../components/Figure.module.css'
import { Figure } from '../../components/Figure.tsx'
import { KnownSince } from '../../components/KnownSince.tsx'
import { Withheld } from '../../components/Withheld.tsx'
import { formatLongMonth, formatMonth } from '../../format/dates.ts'
import { formatChange, formatInteger } from '../../format/numbers.ts'
import { Button } from '../../kit/Button.tsx'
import { ChartFigure } from '../../kit/ChartFigure.tsx'
import { ChartDrawing } from '../../kit/ChartFrame.tsx'
import { moveBetweenMarks } from '../../kit/marks.ts'
import { Popover } from '../../kit/Popover.tsx'
import type { TableColumn } from '../../kit/Table.tsx'
import { Table } from '../../kit/Table.tsx'
import { useWidth } from '../../kit/use-width.ts'
import styles from './HeadcountScreen.module.css'
import type { HeadcountGroup, HeadcountRow, LinkedValue, YearFigures } from './headcount-figures.ts'
import { MonthTable } from './MonthCharts.tsx'
import { TurnoverFigure } from './TurnoverFigure.tsx'

interface GroupsProps {
  /** `department`, `contract` or `office`. */
  readonly kind: string
  readonly groups: readonly HeadcountGroup[]
  readonly months: readonly string[]
  readonly lastWholeMonth: string
  readonly nameOf: (group: string | null) => string
  /** The month that has not ended, if the period has one. */
  readonly partMonth: string | undefined
  readonly historyFrom: string | undefined
}

const shownGroups = 24

/** One small chart for each group, all on the same scale. */
export const Groups = (props: GroupsProps) => {
  const { kind, groups, months, lastWholeMonth, nameOf, historyFrom } = props
  const [isOpen, setIsOpen] = useState(false)
  const shown = isOpen ? groups : groups.slice(0, shownGroups)
  const highest = Math.max(1, ...groups.flatMap(({ rows }) => rows.map(({ at_end: atEnd }) => atEnd ?? 0)))
  const isWithheld = groups.some(({ year }) => year.atEnd.value === null)
  return (
    <ChartFigure
      title={`By ${kind}`}
      remark={
        isWithheld ? (
          <>
            joined in 12 months; the number of people is <Withheld />
          </>
        ) : (
          `same scale, 0 to ${formatInteger(highest)}; joined, left and moved in 12 months`
        )
      }
      table={<GroupTable {...props} />}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div
        className={styles.groups}
        role="group"
        aria-label={`Headcount by ${kind}. The arrow keys move between figures.`}
        onKeyDown={moveBetweenMarks(isWithheld ? 1 : 4)}
      >
        {shown.map((group, index) => (
          <GroupChart
            key={group.group ?? 'null'}
            group={group}
            name={nameOf(group.group)}
            months={months}
            lastWholeMonth={lastWholeMonth}
            highest={highest}
            isFirst={index === 0}
          />
        ))}
      </div>
      {groups.length > shownGroups ? (
        <Button kind="bare" aria-expanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
          {isOpen ? `Show the largest ${shownGroups}` : `Show all ${formatInteger(groups.length)}`}
        </Button>
      ) : undefined}
      <p className="note below">
        Groups are those at the end of each month: a person who moved from Sales to Data counts in Data from that month
        on. <KnownSince day={historyFrom} /> Before that day, people are in their oldest known {kind}.
      </p>
    </ChartFigure>
  )
}

interface GroupChartProps {
  readonly group: HeadcountGroup
  readonly name: string
  readonly months: readonly string[]
  readonly lastWholeMonth: string
  readonly highest: number
  readonly isFirst: boolean
}

const GroupChart = ({ group, name, months, lastWholeMonth, highest, isFirst }: GroupChartProps) => {
  const { atEnd, joined, left, movedIn, movedOut, moved } = group.year
  const key = group.group ?? 'null'
  return (
    <figure className={styles.group}>
      <figcaption className={styles.caption}>
        <bdi className={styles.name} title={name}>
          {name}
        </bdi>
        {atEnd.value === null ? undefined : (
          <GroupFigure
            name={`headcount.at_end.${key}`}
            of={atEnd}
            text={formatInteger(atEnd.value)}
            label={`${name}: ${formatInteger(atEnd.value)} at the end of ${formatMonth(lastWholeMonth)}`}
            isTabStop={isFirst}
          />
        )}
      </figcaption>
      {atEnd.value === null ? undefined : (
        <Sparkline
          label={sparklineLabel(name, group.rows)}
          rows={group.rows}
          months={months}
          highest={highest}
          lastWholeMonth={lastWholeMonth}
        />
      )}
      <p className={styles.changes}>
        {joined.value === null ? undefined : (
          <>
            <GroupFigure
              name={`headcount.joined_12m.${key}`}
              of={joined}
              text={`+${formatInteger(joined.value)}`}
              label={`${name}: ${formatInteger(joined.value)} joined in 12 months`}
              isTabStop={isFirst && atEnd.value === null}
            />{' '}
            joined
          </>
        )}
        {left.value === null ? undefined : (
          <>
            {' · '}
            <GroupFigure
              name={`headcount.left_12m.${key}`}
              of={left}
              text={`\u2212${formatInteger(left.value)}`}
              label={`${name}: ${formatInteger(left.value)} left in 12 months`}
              isTabStop={false}
            />{' '}
            left
          </>
        )}
        {moved.value === null ? undefined : (
          <span className={styles.moved}>
            <GroupFigure
              name={`headcount.moved_12m.${key}`}
              of={moved}
              text={formatChange(moved.value)}
              label={`${name}: ${formatInteger(movedIn.value ?? 0)} moved in and ${formatInteger(movedOut.value ?? 0)} moved out in 12 months`}
              isTabStop={false}
            />{' '}
            moved
          </span>
        )}
      </p>
    </figure>
  )
}

interface GroupFigureProps {
  readonly name: string
  readonly of: LinkedValue
  readonly text: string
  readonly label: string
  readonly isTabStop: boolean
}

/** A figure that is a mark of the chart, so that dozens of groups are one stop of the Tab key. */
const GroupFigure = ({ name, of, text, label, isTabStop }: GroupFigureProps) => {
  const mark = {
    'data-mark': true,
    'data-figure': name,
    'data-value': of.value ?? 0,
    tabIndex: isTabStop ? 0 : -1,
    'aria-label': label,
  }
  return of.link === undefined ? (
    <span role="img" className={figureStyles.plain} {...mark}>
      {text}
    </span>
  ) : (
    <Link className={figureStyles.figure} {...mark} {...dataLocation(of.link)}>
      {text}
    </Link>
  )
}

interface SparklineProps {
  readonly label: string
  readonly rows: readonly HeadcountRow[]
  readonly months: readonly string[]
  readonly lastWholeMonth: string
  readonly highest: number
}

const height = 44

const Sparkline = ({ label, rows, months, lastWholeMonth, highest }: SparklineProps) => {
  const [ref, width] = useWidth<HTMLDivElement>()
  const whole = rows.filter(({ month }) => month !== null && month <= lastWholeMonth)
  const x = scalePoint({ domain: months.filter((month) => month <= lastWholeMonth), range: [0, width] })
  const y = scaleLinear({ domain: [0, highest], range: [height - 1, 3] })
  const point = { x: (row: HeadcountRow) => x(String(row.month)) ?? 0, y: (row: HeadcountRow) => y(row.at_end ?? 0) }
  return (
    <div ref={ref} className={styles.sparkline}>
      {width === 0 ? undefined : (
        <ChartDrawing width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
          <AreaClosed data-ink="area" data={whole} yScale={y} {...point} />
          <line data-ink="axis" x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
          <LinePath data-ink="line" className={styles.thin} data={whole} {...point} />
        </ChartDrawing>
      )}
    </div>
  )
}

const sparklineLabel = (name: string, rows: readonly HeadcountRow[]): string => {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return name
  return `${name}: ${formatInteger(first.at_end ?? 0)} in ${formatLongMonth(String(first.month))}, ${formatInteger(last.at_end ?? 0)} in ${formatLongMonth(String(last.month))}`
}

/** The turnover of a smaller group says little. */
const enoughPeople = 20
const isEnough = ({ atEnd, yearBefore }: YearFigures): boolean =>
  (atEnd.value ?? 0) >= enoughPeople || (yearBefore.value ?? 0) >= enoughPeople

const GroupTable = ({ kind, groups, nameOf, lastWholeMonth, partMonth }: GroupsProps) => (
  <Table
    rows={groups}
    rowKey={({ group }) => group ?? 'null'}
    columns={[
      {
        title: kind.charAt(0).toUpperCase() + kind.slice(1),
        cell: ({ group, rows, year }) => (
          <Popover
            title={nameOf(group)}
            width="wide"
            trigger={
              <Button kind="own" className={styles.open}>
                <bdi>{nameOf(group)}</bdi>
              </Button>
            }
          >
            <div className="scroll-x">
              <MonthTable
                rows={rows.filter(({ month }) => month !== null && month > addMonths(lastWholeMonth, -12))}
                partMonth={partMonth}
                isWithheld={year.atEnd.value === null}
                group={group ?? 'null'}
              />
            </div>
          </Popover>
        ),
      },
      ...(
        [
          ['at_end', 'atEnd', `End of ${formatMonth(lastWholeMonth)}`],
          ['year_before', 'yearBefore', 'A year before'],
          ['joined_12m', 'joined', 'Joined in 12 months'],
          ['left_12m', 'left', 'Left in 12 months'],
          ['moved_in_12m', 'movedIn', 'Moved in'],
          ['moved_out_12m', 'movedOut', 'Moved out'],
          ['moved_12m', 'moved', 'In less out'],
        ] as const
      ).map(
        ([column, field, title]): TableColumn<HeadcountGroup> => ({
          title,
          kind: 'figure',
          cell: ({ group, year: { [field]: figure } }) =>
            figure.value === null ? (
              <Withheld />
            ) : (
              <Figure name={`headcount.${column}.${group ?? 'null'}`} value={figure.value} link={figure.link}>
                {field === 'moved' ? formatChange(figure.value) : formatInteger(figure.value)}
              </Figure>
            ),
        }),
      ),
      {
        title: '12-month turnover',
        kind: 'figure',
        cell: ({ group, year }) => {
          const isWithheld = year.atEnd.value === null
          return isWithheld || isEnough(year) ? (
            <TurnoverFigure name={`headcount.turnover.${group ?? 'null'}`} of={year.turnover} isWithheld={isWithheld} />
          ) : (
            <span className="muted">fewer than {enoughPeople}</span>
          )
        },
      },
    ]}
  />
)
