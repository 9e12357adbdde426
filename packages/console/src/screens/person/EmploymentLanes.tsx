import type { CSSProperties } from 'react'
import type { ChangedNames } from '../../components/ChangedValue.tsx'
import { ChangedValue } from '../../components/ChangedValue.tsx'
import type { TrackedField } from '../../components/employee-changes.ts'
import { KnownSince } from '../../components/KnownSince.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { formatDay } from '../../format/dates.ts'
import { ChartFigure } from '../../kit/ChartFigure.tsx'
import { classes } from '../../kit/classes.ts'
import { Table } from '../../kit/Table.tsx'
import styles from './EmploymentLanes.module.css'
import type { FullPerson } from './full-person.ts'
import type { Lanes, Stay } from './lanes.ts'
import { lanePosition, lanesOf, laneTicks } from './lanes.ts'
import { spanText } from './timeline.ts'
import { useEmployeeHistory } from './use-employee-history.ts'

interface EmploymentLanesProps {
  readonly person: FullPerson
  readonly asOf: string
  readonly enabled: boolean
}

const laneNames: Readonly<Partial<Record<TrackedField, string>>> = {
  designation: 'Title',
  dept_id: 'Department',
  manager_id: 'Manager',
  branch: 'Office',
}

/** Title, department, manager and office over time: what somebody was on a day. */
export const EmploymentLanes = ({ person, asOf, enabled }: EmploymentLanesProps) => {
  const result = useEmployeeHistory(person.id, enabled)
  const lanes = result.data === undefined ? undefined : lanesOf(person, result.data.history, asOf)
  return result.data !== undefined && lanes === undefined ? undefined : (
    <div className={styles.room}>
      <Loadable result={result} asked="the changes of this person">
        {({ history, names }) =>
          lanes === undefined ? undefined : (
            <ChartFigure
              title="Employment"
              remark={spanText(lanes.unknownFrom ?? lanes.knownFrom, lanes.to)}
              table={<LaneTable lanes={lanes} names={names} />}
            >
              <Drawing lanes={lanes} names={names} />
              <p className="note below">
                <KnownSince day={history.meta.history_from} />{' '}
                {lanes.unknownFrom === undefined
                  ? undefined
                  : 'Hatched and shortened: employed, but title, department, manager and office of that time are not recorded.'}
              </p>
            </ChartFigure>
          )
        }
      </Loadable>
    </div>
  )
}

interface DrawingProps {
  readonly lanes: Lanes
  readonly names: ChangedNames
}

/** A list for each field. The values are cut where they have no room; the table has them in full. */
const Drawing = ({ lanes, names }: DrawingProps) => (
  <div className={styles.lanes}>
    {lanes.lanes.map(({ field, stays }) => (
      <div key={field} className={styles.lane}>
        <span className={styles.name}>{laneNames[field]}</span>
        <ol className={styles.stays}>
          {lanes.unknownFrom === undefined ? undefined : (
            <li className={`hatch ${styles.unknown}`} style={place(0, lanePosition(lanes, lanes.knownFrom))}>
              <span className="visually-hidden">not recorded until {formatDay(lanes.knownFrom)}</span>
            </li>
          )}
          {stays.map((stay) => (
            <li
              key={stay.from}
              className={classes(styles.stay, stay.to === lanes.to && styles.current)}
              style={place(lanePosition(lanes, stay.from), lanePosition(lanes, stay.to))}
              title={daysText(stay)}
            >
              <span className={styles.value}>
                <ChangedValue field={field} value={stay.value} names={names} />
              </span>
              <span className="visually-hidden">, {daysText(stay)}</span>
            </li>
          ))}
        </ol>
      </div>
    ))}
    <div className={styles.axis} aria-hidden>
      {laneTicks(lanes).map(({ position, label }) => (
        <span key={label} style={{ insetInlineStart: `${position * 100}%` }}>
          {label}
        </span>
      ))}
    </div>
  </div>
)

const place = (from: number, to: number): CSSProperties => ({
  insetInlineStart: `${from * 100}%`,
  inlineSize: `calc(${(to - from) * 100}% - 2px)`,
})

const daysText = ({ from, to }: Stay): string => `${formatDay(from)} – ${formatDay(to)}`

const LaneTable = ({ lanes: { lanes }, names }: DrawingProps) => (
  <Table
    rows={lanes.flatMap(({ field, stays }) => stays.toReversed().map((stay) => ({ ...stay, field })))}
    rowKey={({ field, from }) => `${field} ${from}`}
    columns={[
      { title: 'What', cell: ({ field }) => laneNames[field] },
      { title: 'Value', cell: ({ field, value }) => <ChangedValue field={field} value={value} names={names} /> },
      { title: 'From', kind: 'figure', cell: ({ from }) => formatDay(from) },
      { title: 'To', kind: 'figure', cell: ({ to }) => formatDay(to) },
    ]}
  />
)
