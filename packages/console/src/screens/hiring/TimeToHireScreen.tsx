import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ExportButton } from '../../components/ExportButton.tsx'
import { Figure } from '../../components/Figure.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { PeriodMenu } from '../../components/PeriodMenu.tsx'
import { Stat, StatList } from '../../components/StatList.tsx'
import { formatDecimal } from '../../format/numbers.ts'
import { formatMonths, monthChoices, readPeriod, writePeriod, yearUntil } from '../../format/periods.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { questionOf, titleOf } from '../../frame/screens.ts'
import { ButtonLink } from '../../kit/Button.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { Section } from '../../kit/Section.tsx'
import { useReport } from '../../service/queries.ts'
import { reportPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { useDepartmentNames } from '../../service/use-department-names.ts'
import { sourceLabel } from './cohort.ts'
import styles from './Days.module.css'
import { DaysByMonth } from './DaysByMonth.tsx'
import type { DaysRow } from './DaysTable.tsx'
import { DaysTable } from './DaysTable.tsx'
import type { TimeRow } from './days.ts'
import { monthsOf, scaleEnd, spreadOf } from './days.ts'

export const TimeToHireScreen = () => {
  const asOf = useAsOf()
  const search = useSearch({ from: '/hiring/time-to-hire' })
  const navigate = useNavigate({ from: '/hiring/time-to-hire' })
  const standard = yearUntil(asOf)
  const period = readPeriod(search.hired_from, search.hired_to, standard)
  const query = { as_of: asOf, hired_from: period.from, hired_to: period.to }
  const all = useReport('timeToHire', query)
  const byMonth = useReport('timeToHire', { ...query, by: 'month' })
  const row = all.data?.data[0]
  const hired = row === undefined ? undefined : spreadOf(row, 'hire')
  return (
    <>
      <PageHead
        title={titleOf('/hiring/time-to-hire')}
        question={questionOf('/hiring/time-to-hire')}
        how={
          <HowCounted
            title="Time to hire"
            meta={all.data?.meta}
            excluded="hires whose dates are missing or contradictory"
            path={reportPath('time-to-hire', { ...query, by: 'month' })}
          />
        }
        tools={
          hired?.link === undefined ? undefined : <ExportButton path={hired.link} rows={hired.n} fileName="hires" />
        }
      >
        <PeriodMenu
          label="Hired"
          period={period}
          choices={[{ label: '12 full months and this one', ...standard }, ...monthChoices(asOf)]}
          onChange={(next) => {
            const { from, to } = writePeriod(next, standard)
            void navigate({
              search: (old: SearchOf<'/hiring/time-to-hire'>) => ({ ...old, hired_from: from, hired_to: to }),
            })
          }}
        />
      </PageHead>
      <Loadable result={all} asked="the time to hire">
        {({ data }) =>
          data[0] === undefined || (data[0].n === 0 && data[0].fill_n === 0) ? (
            <EmptyState title="No hires">
              <p>
                There are no hires in this period ({formatMonths(period)}).{' '}
                <Link className="link" to="/hiring/time-to-hire" search={{ hired_from: 'any' }}>
                  Show all time
                </Link>
              </p>
            </EmptyState>
          ) : (
            <TimeStats row={data[0]} />
          )
        }
      </Loadable>
      {hired === undefined ? undefined : (
        <div className={styles.columns}>
          <div className={styles.stack}>
            <Loadable result={byMonth} asked="the time to hire by month">
              {({ data }) => (
                <DaysByMonth
                  title="Days to hire, by month of hire"
                  measure="hire"
                  months={monthsOf(period, asOf, data)}
                  rows={data}
                  asOf={asOf}
                />
              )}
            </Loadable>
            <Loadable result={byMonth} asked="the time to fill by month">
              {({ data }) => (
                <DaysByMonth
                  title="Days to fill, by month of hire"
                  measure="fill"
                  months={monthsOf(period, asOf, data)}
                  rows={data}
                  asOf={asOf}
                />
              )}
            </Loadable>
          </div>
          <div className={styles.stack}>
            <BySource query={query} />
            <ByDepartment query={query} isWhole={search.departments === 'all'} />
          </div>
        </div>
      )}
    </>
  )
}

const TimeStats = ({ row }: { readonly row: TimeRow }) => {
  const hire = spreadOf(row, 'hire')
  const fill = spreadOf(row, 'fill')
  return (
    <StatList>
      <Stat label="Hired in the period">
        <Figure name="time.n" value={row.n ?? 0} link={row.links.n} />
      </Stat>
      {hire === undefined ? undefined : (
        <>
          <Stat label="Median days to hire" remark="from application">
            <Figure name="time.median" value={hire.median} link={hire.link}>
              {formatDecimal(hire.median)}
            </Figure>
          </Stat>
          <Stat label="90 % within" remark="days">
            <Figure name="time.p90" value={hire.p90} link={hire.link}>
              {formatDecimal(hire.p90)}
            </Figure>
          </Stat>
          <Stat label="Shortest, longest" remark="days">
            <Figure name="time.days_min" value={hire.min} link={hire.link} what="days, shortest" /> –{' '}
            <Figure name="time.days_max" value={hire.max} link={hire.link} what="days, longest" />
          </Stat>
        </>
      )}
      {fill === undefined ? undefined : (
        <Stat
          label="Median days to fill"
          remark={
            <>
              from opening, 90 % within{' '}
              <Figure
                name="time.fill.p90"
                value={fill.p90}
                link={fill.link}
                what="days, 90 % of the openings are filled within"
              >
                {formatDecimal(fill.p90)}
              </Figure>
            </>
          }
        >
          <Figure name="time.fill.median" value={fill.median} link={fill.link}>
            {formatDecimal(fill.median)}
          </Figure>
        </Stat>
      )}
    </StatList>
  )
}

interface GroupProps {
  readonly query: {
    readonly as_of: string
    readonly hired_from: string | undefined
    readonly hired_to: string | undefined
  }
}

/** The rows of a report as rows of the table, most hires first. */
const daysRows = (rows: readonly TimeRow[], label: (group: string | null) => string): DaysRow[] =>
  rows
    .flatMap((row) => {
      const spread = spreadOf(row, 'hire')
      return spread === undefined ? [] : [{ key: row.group ?? 'null', label: label(row.group), spread }]
    })
    .toSorted((a, b) => b.spread.n - a.spread.n)

const BySource = ({ query }: GroupProps) => {
  const report = useReport('timeToHire', { ...query, by: 'candidate.source' })
  return (
    <Section title="By source">
      <Loadable result={report} asked="the time to hire by source">
        {({ data }) => {
          const rows = daysRows(data, sourceLabel)
          return (
            <DaysTable head="Source" name="time.source" rows={rows} end={scaleEnd(rows.map(({ spread }) => spread))} />
          )
        }}
      </Loadable>
    </Section>
  )
}

const shortList = 10

const ByDepartment = ({ query, isWhole }: GroupProps & { readonly isWhole: boolean }) => {
  const report = useReport('timeToHire', { ...query, by: 'job.dept_id' })
  const names = useDepartmentNames()
  return (
    <Section title="By department" aside={<span className="note">the opening’s department now</span>}>
      <Loadable result={report} asked="the time to hire by department">
        {({ data }) => {
          const rows = daysRows(data, (group) =>
            group === null ? 'No department' : (names?.get(group) ?? `Department ${group}`),
          )
          const shown = isWhole ? rows : rows.slice(0, shortList)
          return (
            <>
              <DaysTable
                head="Department"
                name="time.department"
                rows={shown}
                end={scaleEnd(rows.map(({ spread }) => spread))}
              />
              {rows.length <= shortList ? undefined : (
                <div className={styles.more}>
                  <span>
                    {shown.length} of {rows.length} departments
                  </span>
                  <ButtonLink
                    kind="bare"
                    to="/hiring/time-to-hire"
                    search={(old: SearchOf<'/hiring/time-to-hire'>) => ({
                      ...old,
                      departments: isWhole ? undefined : 'all',
                    })}
                    resetScroll={false}
                  >
                    {isWhole ? 'Show fewer' : 'Show all'}
                  </ButtonLink>
                </div>
              )}
            </>
          )
        }}
      </Loadable>
    </Section>
  )
}
