import { MusterError } from '@muster/client'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { placeLabel, plural, valueLabel } from '../../format/labels.ts'
import { questionOf } from '../../frame/screens.ts'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { Section } from '../../kit/Section.tsx'
import { ToggleGroup } from '../../kit/ToggleGroup.tsx'
import { useList, useReport } from '../../service/queries.ts'
import { reportPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { Groups } from './Groups.tsx'
import { headcountGroups } from './headcount-figures.ts'
import { MonthCharts, TurnoverChart, YearStats } from './MonthCharts.tsx'
import { monthsOf } from './month-axis.ts'
import { Notes } from './Notes.tsx'
import { PeriodSelect } from './PeriodSelect.tsx'
import type { Period } from './period.ts'
import { monthEnds, periodOf } from './period.ts'

const groupings = { dept_id: 'department', employment_type: 'contract', branch: 'office' } as const
type Grouping = keyof typeof groupings

const isGrouping = (text: string | undefined): text is Grouping => text !== undefined && Object.hasOwn(groupings, text)

export const HeadcountScreen = () => {
  const asOf = useAsOf()
  const search = useSearch({ from: '/headcount' })
  const navigate = useNavigate({ from: '/headcount' })
  const period = periodOf(search, asOf, monthEnds)
  const by = isGrouping(search.by) ? search.by : 'dept_id'
  const query = { as_of: asOf, from: period.firstAskedMonth, to: period.to }
  const report = useReport('headcount', query)
  return (
    <>
      <PageHead
        title="Headcount"
        question={questionOf('/headcount')}
        how={
          <HowCounted
            title="Headcount at month-ends"
            meta={report.data?.meta}
            excluded={plural(
              report.data?.meta.excluded ?? 0,
              'employee without a joining date',
              'employees without a joining date',
            )}
            path={reportPath('headcount', query)}
          />
        }
        tools={<CopyLinkButton />}
      >
        <PeriodSelect
          period={period}
          kind={monthEnds}
          asOf={asOf}
          onChange={(from) => void navigate({ to: '/headcount', search: { ...search, from, to: undefined } })}
        />
        <ToggleGroup
          label="Group by"
          value={by}
          options={(Object.keys(groupings) as Grouping[]).map((field) => [field, valueLabel(groupings[field])])}
          onChange={(field) =>
            void navigate({ to: '/headcount', search: { ...search, by: field }, resetScroll: false })
          }
        />
      </PageHead>
      <Loadable result={report} asked="the headcount of each month">
        {({ data, meta }) => {
          const rows = data.filter(({ month }) => month !== null && month >= period.from)
          if (data.every(({ at_end: atEnd, joined }) => (atEnd ?? 0) === 0 && (joined ?? 0) === 0))
            return (
              <EmptyState title="No employees in this period">
                <p>The month-ends count employees by their joining and termination dates.</p>
              </EmptyState>
            )
          const isWithheld = data.some(({ at_end: atEnd }) => atEnd === null)
          const months = monthsOf(period.from, period.to)
          return (
            <>
              <YearStats rows={data} month={period.lastWholeMonth} isWithheld={isWithheld} />
              <div className="grid">
                <div className="span-8">
                  <MonthCharts rows={rows} months={months} period={period} asOf={asOf} isWithheld={isWithheld} />
                </div>
                <div className="span-4 grid side">
                  <Notes excluded={meta.excluded} isWithheld={isWithheld} />
                  {isWithheld ? undefined : (
                    <TurnoverChart rows={rows} months={months} lastWholeMonth={period.lastWholeMonth} />
                  )}
                </div>
              </div>
            </>
          )
        }}
      </Loadable>
      {/* One error is enough: both reports fail for the same reasons. */}
      {report.error === null ? <GroupsOfField by={by} period={period} asOf={asOf} /> : undefined}
    </>
  )
}

interface GroupsOfFieldProps {
  readonly by: Grouping
  readonly period: Period
  readonly asOf: string
}

const GroupsOfField = ({ by, period, asOf }: GroupsOfFieldProps) => {
  const report = useReport('headcount', { as_of: asOf, from: period.firstAskedMonth, to: period.to, by })
  const departments = useList('departments', { limit: 200 }, { enabled: by === 'dept_id' })
  const kind = groupings[by]
  const names = new Map(departments.data?.data.map(({ id, name }) => [String(id), name]))
  const nameOf = (group: string | null): string => {
    if (group === null || group.trim() === '') return `No ${kind}`
    if (by === 'dept_id') return names.get(group) ?? `Department ${group}`
    return by === 'branch' ? placeLabel(group) : valueLabel(group)
  }
  if (isTooLong(report.error))
    return (
      <Section title={`By ${kind}`} className="apart">
        <p className="note">There are too many groups for this period. Choose a shorter one to see them.</p>
      </Section>
    )
  return (
    <div className="apart">
      <Loadable result={report} asked={`the headcount by ${kind}`}>
        {({ data, meta }) => {
          const groups = headcountGroups(data, period.lastWholeMonth, period.from)
          return groups.length === 0 || (by === 'dept_id' && departments.isPending) ? undefined : (
            <Groups
              kind={kind}
              groups={groups}
              months={monthsOf(period.from, period.to)}
              lastWholeMonth={period.lastWholeMonth}
              partMonth={period.to > period.lastWholeMonth ? period.to : undefined}
              historyFrom={meta.history_from}
              nameOf={nameOf}
            />
          )
        }}
      </Loadable>
    </div>
  )
}

/** A report has at most 10,000 rows. */
const isTooLong = (error: Error | null): boolean =>
  error instanceof MusterError && error.problems.some(({ type }) => type === 'too_many_rows')
