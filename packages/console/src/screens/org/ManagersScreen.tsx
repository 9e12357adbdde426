import { useNavigate, useSearch } from '@tanstack/react-router'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { Figure } from '../../components/Figure.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { SortLink } from '../../components/SortLink.tsx'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { questionOf, titleOf } from '../../frame/screens.ts'
import { Chip, ChipList } from '../../kit/Chip.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { Pager } from '../../kit/Pager.tsx'
import { Section } from '../../kit/Section.tsx'
import { Table } from '../../kit/Table.tsx'
import { parseOffset } from '../../search-parameters.ts'
import { useReport } from '../../service/queries.ts'
import { reportPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { useIsWithheld } from '../../service/use-is-withheld.ts'
import { CycleNotice, PastChartWithheld } from './ChartNotices.tsx'
import { DirectReports } from './DirectReports.tsx'
import styles from './ManagersScreen.module.css'
import type { Manager, SortField } from './managers.ts'
import { directColumns, managersOfColumn, sortField, sortManagers, toManagers } from './managers.ts'
import { OrgViews } from './OrgViews.tsx'
import { chartDay, isPastDay } from './parameters.ts'
import { useToMember } from './use-to-member.ts'

const pageSize = 25

export const ManagersScreen = () => {
  const asOf = useAsOf()
  const day = chartDay(asOf)
  const isWithheld = useIsWithheld()
  const isReadable = !isPastDay(asOf) || isWithheld === false
  const query = { as_of: day, managers_only: true, depth: 32 }
  const report = useReport('orgChart', query, { enabled: isReadable })
  const toMember = useToMember(report.data, day)
  return (
    <>
      <PageHead
        title={titleOf('/org/managers')}
        question={questionOf('/org/managers')}
        how={
          <HowCounted
            title="Managers"
            meta={report.data?.meta}
            excluded="cycles of managers; the person with the smallest id of each is shown at the top"
            path={reportPath('org-chart', query)}
          />
        }
        tools={<CopyLinkButton />}
      >
        <OrgViews />
      </PageHead>
      {isReadable ? (
        <Loadable result={report} asked="all managers">
          {({ data, meta }) => (
            <>
              {meta.excluded > 0 ? <CycleNotice cycles={meta.excluded} /> : undefined}
              <Managers managers={toManagers(data.map(toMember))} />
            </>
          )}
        </Loadable>
      ) : (
        isWithheld === true && <PastChartWithheld asOf={asOf} />
      )}
    </>
  )
}

const Managers = ({ managers }: { readonly managers: readonly Manager[] }) => {
  const search = useSearch({ from: '/org/managers' })
  const navigate = useNavigate({ from: '/org/managers' })
  if (managers.length === 0)
    return (
      <EmptyState title="No reporting lines">
        <p>Nobody in the chart has a manager who is in it.</p>
      </EmptyState>
    )
  const column = directColumns(managers).find(({ key }) => key === search.direct)
  const field = sortField(search.sort)
  const found = sortManagers(managersOfColumn(managers, column), field)
  const offset = parseOffset(search.offset)
  const shown = found.slice(offset, offset + pageSize)
  return (
    <>
      <DirectReports managers={managers} />
      <Section title="Managers" className="apart">
        <div className={styles.filters}>
          <p role="status">
            {formatInteger(found.length)} {plural(found.length, 'manager', 'managers')}, largest first
          </p>
          {column === undefined ? undefined : (
            <ChipList count={1}>
              <Chip
                name="Direct reports"
                value={column.label}
                onRemove={() =>
                  void navigate({
                    search: (old: SearchOf<'/org/managers'>) => ({ ...old, direct: undefined, offset: undefined }),
                    resetScroll: false,
                  })
                }
              />
            </ChipList>
          )}
        </div>
        <ManagersTable
          managers={shown}
          field={field}
          most={managers.reduce((most, { direct }) => Math.max(most, direct), 1)}
        />
        <Pager total={found.length} offset={offset} shown={shown.length} size={pageSize} />
      </Section>
    </>
  )
}

interface ManagersTableProps {
  readonly managers: readonly Manager[]
  readonly field: SortField
  /** The most direct reports, which the longest bar shows. */
  readonly most: number
}

const ManagersTable = ({ managers, field, most }: ManagersTableProps) => {
  const sortColumn = (title: string, of: SortField) => {
    const order = of === field ? ('descending' as const) : undefined
    return {
      key: title,
      kind: 'figure' as const,
      sort: order,
      title: <SortLink title={title} sort={of === 'direct' ? undefined : of} order={order} />,
    }
  }
  return (
    <Table
      className={styles.managers}
      isFlush
      hasLinesOnPhones
      rows={managers}
      rowKey={({ id }) => id}
      columns={[
        {
          title: 'Manager',
          headClassName: styles.name,
          cellClassName: styles.cut,
          cell: (manager) => <PersonName person={manager} />,
        },
        {
          title: 'Title',
          onPhones: 'line',
          headClassName: styles.title,
          cellClassName: styles.cut,
          cell: ({ designation }) => <bdi>{designation}</bdi>,
        },
        {
          title: 'Department',
          onPhones: 'hidden',
          headClassName: styles.department,
          cellClassName: styles.cut,
          cell: ({ department }) => <bdi>{department}</bdi>,
        },
        {
          ...sortColumn('Direct', 'direct'),
          cellClassName: styles.direct,
          cell: ({ id, direct, links }) => (
            <Figure name={`managers.direct.${id}`} value={direct} link={links.direct_reports} />
          ),
        },
        {
          key: 'bar',
          kind: 'picture',
          onPhones: 'line',
          cell: ({ direct }) => (
            <span className={styles.bar} aria-hidden>
              <i style={{ inlineSize: `${(direct / most) * 100}%` }} />
            </span>
          ),
        },
        {
          ...sortColumn('In all', 'total'),
          onPhones: 'hidden',
          cell: ({ id, total, links }) => (
            <Figure name={`managers.all.${id}`} value={total} link={links.total_reports} />
          ),
        },
        {
          ...sortColumn('Levels below', 'levels'),
          onPhones: 'hidden',
          cell: ({ id, levels }) => <Figure name={`managers.levels.${id}`} value={levels} />,
        },
      ]}
    />
  )
}
