import { Link } from '@tanstack/react-router'
import { scaleLinear, scalePoint } from '@visx/scale'
import { AreaClosed, LinePath } from '@visx/shape'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { ChartFigure } from '../../components/ChartFigure.tsx'
import chartStyles from '../../components/chart/Chart.module.css'
import { useWidth } from '../../components/chart/use-width.ts'
import { dataLocation } from '../../components/data-links.ts'
import figureStyles from '../../components/Figure.module.css'
import { Figure } from '../../components/Figure.tsx'
import { moveBetweenMarks } from '../../components/marks.ts'
import tableStyles from '../../components/Table.module.css'
import { Withheld } from '../../components/Withheld.tsx'
import { formatLongMonth, formatMonth } from '../../format/dates.ts'
import { formatInteger } from '../../format/numbers.ts'
import styles from './Groups.module.css'
import type { HeadcountGroup, HeadcountRow, LinkedValue, YearFigures } from './headcount-figures.ts'
import { TurnoverFigure } from './TurnoverFigure.tsx'

interface GroupsProps {
  /** `department`, `contract` or `office`. */
  readonly kind: string
  readonly groups: readonly HeadcountGroup[]
  readonly months: readonly string[]
  readonly lastWholeMonth: string
  readonly nameOf: (group: string | null) => string
}

const shownGroups = 24

/** One small chart for each group, all on the same scale. */
export const Groups = ({ kind, groups, months, lastWholeMonth, nameOf }: GroupsProps) => {
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
          `same scale, 0 to ${formatInteger(highest)}; joined and left in 12 months`
        )
      }
      table={<GroupTable kind={kind} groups={groups} nameOf={nameOf} lastWholeMonth={lastWholeMonth} />}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div
        className={styles.groups}
        role="group"
        aria-label={`Headcount by ${kind}. The arrow keys move between figures.`}
        onKeyDown={moveBetweenMarks(isWithheld ? 1 : 3)}
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
        <Button
          className={`${buttonStyles.button} ${buttonStyles.bare}`}
          aria-expanded={isOpen}
          onPress={() => setIsOpen(!isOpen)}
        >
          {isOpen ? `Show the largest ${shownGroups}` : `Show all ${formatInteger(groups.length)}`}
        </Button>
      ) : undefined}
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
  const { atEnd, joined, left } = group.year
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
        <svg
          className={chartStyles.chart}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={label}
        >
          <AreaClosed className={chartStyles.area} data={whole} yScale={y} {...point} />
          <line className={chartStyles.axis} x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
          <LinePath className={`${chartStyles.line} ${styles.thin}`} data={whole} {...point} />
        </svg>
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

type GroupTableProps = Pick<GroupsProps, 'kind' | 'groups' | 'nameOf' | 'lastWholeMonth'>

const GroupTable = ({ kind, groups, nameOf, lastWholeMonth }: GroupTableProps) => (
  <table className={tableStyles.table}>
    <thead>
      <tr>
        <th scope="col">{kind.charAt(0).toUpperCase() + kind.slice(1)}</th>
        {[`End of ${formatMonth(lastWholeMonth)}`, 'A year before', 'Joined in 12 months', 'Left in 12 months'].map(
          (title) => (
            <th key={title} scope="col" className={tableStyles.figure}>
              {title}
            </th>
          ),
        )}
        <th scope="col" className={tableStyles.figure}>
          12-month turnover
        </th>
      </tr>
    </thead>
    <tbody>
      {groups.map(({ group, year }) => {
        const key = group ?? 'null'
        const cells = [
          ['at_end', year.atEnd],
          ['year_before', year.yearBefore],
          ['joined_12m', year.joined],
          ['left_12m', year.left],
        ] as const
        const isWithheld = year.atEnd.value === null
        return (
          <tr key={key}>
            <th scope="row">
              <bdi>{nameOf(group)}</bdi>
            </th>
            {cells.map(([column, { value, link }]) => (
              <td key={column} className={tableStyles.figure}>
                {value === null ? (
                  <Withheld />
                ) : (
                  <Figure name={`headcount.${column}.${key}`} value={value} link={link} />
                )}
              </td>
            ))}
            <td className={tableStyles.figure}>
              {isWithheld || isEnough(year) ? (
                <TurnoverFigure name={`headcount.turnover.${key}`} of={year.turnover} isWithheld={isWithheld} />
              ) : (
                <span className="muted">fewer than {enoughPeople}</span>
              )}
            </td>
          </tr>
        )
      })}
    </tbody>
  </table>
)
