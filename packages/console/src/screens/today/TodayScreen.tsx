import { waitingDays } from '@muster/model'
import { lazy, Suspense } from 'react'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { soonFilters } from '../../components/work-lists.ts'
import { questionOf } from '../../frame/screens.ts'
import { useIsAfterFirstPicture } from '../../frame/use-is-after-first-picture.ts'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { useList, useReport } from '../../service/queries.ts'
import { reportPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { Attendance } from './Attendance.tsx'
import { Attention } from './Attention.tsx'
import { DayFigures } from './DayFigures.tsx'
import styles from './TodayScreen.module.css'
import { isNothingRecorded, todayFigures } from './today-figures.ts'

/** Loaded after the first picture: it is the last part of the screen, and may need many requests. */
const ChangedToday = lazy(async () => ({ default: (await import('./ChangedToday.tsx')).ChangedToday }))

export const TodayScreen = () => {
  const isAfterFirstPicture = useIsAfterFirstPicture()
  const asOf = useAsOf()
  const report = useReport('today', { as_of: asOf })
  const soon = useList('leave', { ...soonFilters(asOf), limit: 1 })
  const figures = report.data === undefined ? undefined : todayFigures(report.data.data, report.data.meta.as_of)
  return (
    <>
      <PageHead
        title="Today"
        question={questionOf('/today')}
        how={
          <HowCounted
            title="The figures of today"
            meta={report.data?.meta}
            definition={definition}
            path={reportPath('today', { as_of: asOf })}
          />
        }
        tools={<CopyLinkButton />}
      />
      <Loadable result={report} asked="the figures of today">
        {() =>
          figures === undefined ? undefined : isNothingRecorded(figures) ? (
            <EmptyState title="There are no records yet">
              <p>
                Import records with <code>muster import</code>, or fill the empty database with an invented company:{' '}
                <code>muster seed</code>.
              </p>
            </EmptyState>
          ) : (
            <>
              <Attention figures={figures} asOf={asOf} soon={soon} />
              <DayFigures figures={figures} asOf={asOf} />
            </>
          )
        }
      </Loadable>
      {report.error !== null || (figures !== undefined && isNothingRecorded(figures)) ? undefined : (
        <>
          <Attendance asOf={asOf} lastDay={figures?.attendance.day} />
          {isAfterFirstPicture ? (
            <Suspense>
              <ChangedToday day={asOf} />
            </Suspense>
          ) : undefined}
        </>
      )}
    </>
  )
}

const definition = (
  <>
    Each figure opens the list of the records that it counts.
    <ul className={styles.definitions}>
      <li>People: employees who are active, on leave or suspended by their present status.</li>
      <li>Out today: approved leave requests that include today.</li>
      <li>Leave waiting: requests with the status pending.</li>
      <li>Past target: open openings with places to fill and a target date before today.</li>
      <li>Waiting applications: active, and in their present stage for more than {waitingDays} days.</li>
      <li>Places to fill: a sum over open openings, so its list has fewer records.</li>
      <li>
        Absent without leave: absent ÷ (recorded − on leave). Half days count as present. Sickness rate: records on
        approved sick leave ÷ recorded.
      </li>
    </ul>
  </>
)
