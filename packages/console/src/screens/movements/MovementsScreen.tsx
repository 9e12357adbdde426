import { useNavigate, useSearch } from '@tanstack/react-router'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { Figure } from '../../components/Figure.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { KnownSince } from '../../components/KnownSince.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { plural } from '../../format/labels.ts'
import { questionOf, titleOf } from '../../frame/screens.ts'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { Section } from '../../kit/Section.tsx'
import { useReport } from '../../service/queries.ts'
import { reportPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { useDepartmentNames } from '../../service/use-department-names.ts'
import { PeriodSelect } from '../headcount/PeriodSelect.tsx'
import { formatMonths, periodOf, wholeMonths } from '../headcount/period.ts'
import { KindMonths } from './KindMonths.tsx'
import styles from './Movements.module.css'
import { changesPath, daysOf, kinds, sumChanges } from './movements.ts'
import { NewestChanges } from './NewestChanges.tsx'
import { TransferMatrix } from './TransferMatrix.tsx'

const fields = kinds.map(({ field }) => field)

export const MovementsScreen = () => {
  const asOf = useAsOf()
  const search = useSearch({ from: '/headcount/movements' })
  const navigate = useNavigate({ from: '/headcount/movements' })
  const period = periodOf(search, asOf, wholeMonths)
  const query = { as_of: asOf, from: period.from, to: period.to }
  const report = useReport('movements', query)
  const transfers = useReport('movements', { ...query, by: 'dept_id' })
  const names = useDepartmentNames()
  const days = daysOf(period.from, period.to, asOf)
  return (
    <>
      <PageHead
        title={titleOf('/headcount/movements')}
        question={questionOf('/headcount/movements')}
        how={<HowCounted title="Movements" meta={report.data?.meta} path={reportPath('movements', query)} />}
        tools={<CopyLinkButton />}
      >
        <PeriodSelect
          period={period}
          kind={wholeMonths}
          asOf={asOf}
          onChange={(from) => void navigate({ search: { ...search, from, to: undefined } })}
        />
      </PageHead>
      <Loadable result={report} asked="the changes of each month">
        {({ data, meta }) => {
          const total = sumChanges(data)
          return (
            <>
              <p className={styles.lede}>
                <b>
                  <Figure
                    name="movements.total"
                    value={total}
                    link={changesPath(fields, days)}
                    what={plural(total, 'change', 'changes')}
                  />
                </b>{' '}
                {plural(total, 'change', 'changes')}, {formatMonths(period.from, period.to)}.{' '}
                <span className="note">
                  <KnownSince day={meta.history_from} /> A person can have several changes.
                </span>
              </p>
              {total === 0 ? (
                <EmptyState title="No changes in this period">
                  <p>Nobody got a new title, department, manager, office or contract, as far as it is recorded.</p>
                </EmptyState>
              ) : (
                <KindMonths rows={data} period={period} asOf={asOf} historyFrom={meta.history_from} />
              )}
            </>
          )
        }}
      </Loadable>
      <Section title="From department to department" remark="read a row from left to right" className="apart">
        <Loadable result={transfers} asked="the moves between departments">
          {({ data }) => <TransferMatrix rows={data} days={days} names={names} />}
        </Loadable>
      </Section>
      <NewestChanges fields={fields} days={days} />
    </>
  )
}
