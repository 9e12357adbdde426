import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronRight, ZoomIn, ZoomOut } from 'lucide-react'
import { useMemo } from 'react'
import { Bars } from '../../components/Bars.tsx'
import { Figure } from '../../components/Figure.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PersonName, personName } from '../../components/PersonName.tsx'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { ChartFigure } from '../../kit/ChartFigure.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { Table } from '../../kit/Table.tsx'
import { useList, useReport } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { CycleNotice } from './ChartNotices.tsx'
import styles from './CompanyPicture.module.css'
import { Icicle } from './Icicle.tsx'
import { toMember } from './members.ts'
import { chartDay, chartMembers, parseId } from './parameters.ts'
import type { Company, Manager } from './picture-layout.ts'
import { arrangeCompany, partSize } from './picture-layout.ts'

/** The table and the list on phones have at most this many managers. */
const maxRows = 100

export const CompanyPicture = () => {
  const asOf = useAsOf()
  const report = useReport('orgChart', { as_of: chartDay(asOf), managers_only: true, depth: 32 })
  const company = useMemo(() => arrangeCompany(report.data?.data.map(toMember) ?? []), [report.data])
  return (
    <Loadable result={report} asked="all managers">
      {({ meta }) => (
        <>
          {meta.excluded > 0 ? <CycleNotice cycles={meta.excluded} /> : undefined}
          {company.tops.length === 0 ? (
            <EmptyState title="No reporting lines">
              <p>No employee who is active, on leave or suspended has a manager in the chart.</p>
            </EmptyState>
          ) : (
            <Picture company={company} />
          )}
        </>
      )}
    </Loadable>
  )
}

const Picture = ({ company }: { readonly company: Company }) => {
  const { root } = useSearch({ from: '/org' })
  const navigate = useNavigate({ from: '/org' })
  const wanted = company.byId.get(parseId(root) ?? 0)
  const only = company.tops.length === 1 ? company.tops[0] : undefined
  const enlarged = wanted ?? only
  const below = enlarged?.managers ?? company.tops
  const title = enlarged === undefined ? 'The whole company' : `${managerName(enlarged)} and everybody below`
  const enlarge = (manager: Manager | undefined) =>
    void navigate({
      search: (old: SearchOf<'/org'>) => ({
        ...old,
        root: manager === undefined || manager === only ? undefined : String(manager.member.id),
      }),
      resetScroll: false,
    })
  const openTree = ({ member }: Manager) =>
    void navigate({ search: () => ({ person: String(member.id) }) satisfies SearchOf<'/org'> })
  return (
    <>
      {enlarged?.above === undefined ? undefined : <Chain manager={enlarged} only={only} />}
      <ChartFigure title={title} remark={<PictureNote company={company} />} table={<ManagersTable managers={below} />}>
        <div className={styles.tools}>
          <p className="note">
            Each block is a manager. Its height is the number of people below. Click a block to enlarge its part; Esc
            goes back.
          </p>
          <span className={styles.zoom}>
            <IconButton
              icon={ZoomOut}
              label="Zoom out"
              isDisabled={enlarged?.above === undefined}
              onPress={() => enlarge(enlarged?.above)}
            />
            <IconButton
              icon={ZoomIn}
              label={`Zoom in${below[0] === undefined ? '' : ` on ${managerName(below[0])}`}`}
              isDisabled={(below[0]?.managers.length ?? 0) === 0}
              onPress={() => enlarge(below[0])}
            />
          </span>
        </div>
        <Icicle
          company={company}
          enlarged={enlarged}
          label={`${title}: ${formatInteger(below.length)} managers directly below. The table has the figures.`}
          enlarge={enlarge}
          openTree={openTree}
        />
        <div className={styles.list}>
          <Bars
            name="org.total"
            bars={below.slice(0, maxRows).map((manager) => ({
              key: String(manager.member.id),
              label: <ManagerLink manager={manager} />,
              value: manager.member.total,
              link: manager.member.links.total_reports,
            }))}
          />
        </div>
      </ChartFigure>
    </>
  )
}

const managerName = ({ member }: Manager): string => personName(member) ?? `Employee ${member.id}`

/** Enlarges a part with further managers in it. Of the others, the tree shows more. */
const ManagerLink = ({ manager }: { readonly manager: Manager }) => {
  const id = String(manager.member.id)
  return (
    <Link
      className={styles.name}
      to="/org"
      search={(old: SearchOf<'/org'>) => (manager.managers.length > 0 ? { ...old, root: id } : { person: id })}
    >
      {manager.member.department === null ? undefined : <b>{manager.member.department} </b>}
      <PersonName person={manager.member} isLink={false} />
    </Link>
  )
}

/** The managers above the enlarged part. */
const Chain = ({ manager, only }: { readonly manager: Manager; readonly only: Manager | undefined }) => {
  const chain: Manager[] = []
  for (let next = manager.above; next !== undefined; next = next.above) chain.unshift(next)
  return (
    <nav aria-label="Parts above">
      <ol className={styles.chain}>
        {only === undefined ? (
          <li>
            <Link
              to="/org"
              search={(old: SearchOf<'/org'>) => ({ ...old, root: undefined })}
              activeOptions={{ explicitUndefined: true }}
            >
              Company
            </Link>
            <Icon of={ChevronRight} size={14} />
          </li>
        ) : undefined}
        {chain.map((above) => (
          <li key={above.member.id}>
            <Link to="/org" search={(old: SearchOf<'/org'>) => ({ ...old, root: String(above.member.id) })}>
              <bdi>{managerName(above)}</bdi>
            </Link>
            <Icon of={ChevronRight} size={14} />
          </li>
        ))}
        <li aria-current="true">
          <bdi>{managerName(manager)}</bdi>
        </li>
      </ol>
    </nav>
  )
}

/** How many people the company has, and how many of them the picture cannot show. */
const PictureNote = ({ company }: { readonly company: Company }) => {
  const members = chartMembers(useAsOf())
  const people = useList('employees', { ...members, limit: 1, fields: ['id'] })
  if (people.data === undefined) return
  const { total } = people.data.meta
  const drawn = company.tops.reduce((sum, manager) => sum + partSize(manager), 0)
  const alone = total - drawn
  return (
    <span role="status">
      <Figure name="org.people" value={total} link={listPath('employees', members)} />{' '}
      {plural(total, 'person', 'people')} in the company
      {alone > 0 ? (
        <>
          , of whom <Figure name="org.alone" value={alone} /> {plural(alone, 'has', 'have')} neither a manager nor
          reports and {plural(alone, 'is', 'are')} not drawn
        </>
      ) : undefined}
    </span>
  )
}

const ManagersTable = ({ managers }: { readonly managers: readonly Manager[] }) => (
  <>
    <Table
      rows={managers.slice(0, maxRows)}
      rowKey={({ member }) => member.id}
      columns={[
        {
          title: 'Manager',
          cell: ({ member, managers: below }) => (
            <Link
              to="/org"
              search={(old: SearchOf<'/org'>) =>
                below.length > 0 ? { ...old, root: String(member.id) } : { person: String(member.id) }
              }
            >
              <PersonName person={member} isLink={false} />
            </Link>
          ),
        },
        { title: 'Title', cell: ({ member }) => <bdi>{member.designation}</bdi> },
        { title: 'Department', cell: ({ member }) => <bdi>{member.department}</bdi> },
        {
          title: 'Direct',
          kind: 'figure',
          cell: ({ member: { id, direct, links } }) => (
            <Figure name={`org.direct.${id}`} value={direct} link={links.direct_reports} />
          ),
        },
        {
          title: 'In all',
          kind: 'figure',
          cell: ({ member: { id, total, links } }) => (
            <Figure name={`org.total.${id}`} value={total} link={links.total_reports} />
          ),
        },
      ]}
    />
    {managers.length > maxRows ? (
      <p className="note">
        The {maxRows} largest of {formatInteger(managers.length)} parts.
      </p>
    ) : undefined}
  </>
)
