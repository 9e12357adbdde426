import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronRight, ZoomIn, ZoomOut } from 'lucide-react'
import { useMemo } from 'react'
import { Button } from 'react-aria-components'
import { Bars } from '../../components/Bars.tsx'
import buttonStyles from '../../components/Button.module.css'
import { ChartFigure } from '../../components/ChartFigure.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { Figure } from '../../components/Figure.tsx'
import { Icon } from '../../components/Icon.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PersonName, personName } from '../../components/PersonName.tsx'
import tableStyles from '../../components/Table.module.css'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { useAsOf } from '../../service/as-of.ts'
import { useList, useReport } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import styles from './CompanyPicture.module.css'
import { Icicle } from './Icicle.tsx'
import { toMember } from './members.ts'
import { CycleNotice } from './Notices.tsx'
import type { Company, Manager } from './picture-layout.ts'
import { arrangeCompany, partSize } from './picture-layout.ts'
import type { OrgSearch } from './search.ts'
import { chartStatuses, parseId } from './search.ts'

/** The table and the list on phones have at most this many managers. */
const maxRows = 100

export const CompanyPicture = () => {
  const asOf = useAsOf()
  const report = useReport('orgChart', { as_of: asOf, managers_only: true, depth: 32 })
  const company = useMemo(() => arrangeCompany(report.data?.data.map(toMember) ?? []), [report.data])
  return (
    <Loadable result={report} asked="all managers">
      {({ meta }) => (
        <>
          {meta.excluded > 0 ? <CycleNotice cycles={meta.excluded} /> : undefined}
          {company.tops.length === 0 ? (
            <EmptyState title="Nobody leads anybody">
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
      search: (old: OrgSearch) => ({
        ...old,
        root: manager === undefined || manager === only ? undefined : String(manager.member.id),
      }),
      resetScroll: false,
    })
  const openTree = ({ member }: Manager) =>
    void navigate({ search: () => ({ person: String(member.id) }) satisfies OrgSearch })
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
            <Button
              className={buttonStyles.icon}
              aria-label="Zoom out"
              isDisabled={enlarged?.above === undefined}
              onPress={() => enlarge(enlarged?.above)}
            >
              <Icon of={ZoomOut} />
            </Button>
            <Button
              className={buttonStyles.icon}
              aria-label={`Zoom in${below[0] === undefined ? '' : ` on ${managerName(below[0])}`}`}
              isDisabled={(below[0]?.managers.length ?? 0) === 0}
              onPress={() => enlarge(below[0])}
            >
              <Icon of={ZoomIn} />
            </Button>
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
      search={(old: OrgSearch) => (manager.managers.length > 0 ? { ...old, root: id } : { person: id })}
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
              search={(old: OrgSearch) => ({ ...old, root: undefined })}
              activeOptions={{ explicitUndefined: true }}
            >
              Company
            </Link>
            <Icon of={ChevronRight} size={14} />
          </li>
        ) : undefined}
        {chain.map((above) => (
          <li key={above.member.id}>
            <Link to="/org" search={(old: OrgSearch) => ({ ...old, root: String(above.member.id) })}>
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
  const people = useList('employees', { status: chartStatuses, limit: 1, fields: ['id'] })
  if (people.data === undefined) return
  const { total } = people.data.meta
  const drawn = company.tops.reduce((sum, manager) => sum + partSize(manager), 0)
  const alone = total - drawn
  return (
    <span role="status">
      <Figure name="org.people" value={total} link={listPath('employees', { status: chartStatuses })} />{' '}
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
    <table className={tableStyles.table}>
      <thead>
        <tr>
          <th scope="col">Manager</th>
          <th scope="col">Title</th>
          <th scope="col">Department</th>
          <th scope="col" className={tableStyles.figure}>
            Direct
          </th>
          <th scope="col" className={tableStyles.figure}>
            In all
          </th>
        </tr>
      </thead>
      <tbody>
        {managers.slice(0, maxRows).map(({ member, managers: below }) => (
          <tr key={member.id}>
            <th scope="row">
              <Link
                to="/org"
                search={(old: OrgSearch) =>
                  below.length > 0 ? { ...old, root: String(member.id) } : { person: String(member.id) }
                }
              >
                <PersonName person={member} isLink={false} />
              </Link>
            </th>
            <td>
              <bdi>{member.designation}</bdi>
            </td>
            <td>
              <bdi>{member.department}</bdi>
            </td>
            <td className={tableStyles.figure}>
              <Figure name={`org.direct.${member.id}`} value={member.direct} link={member.links.direct_reports} />
            </td>
            <td className={tableStyles.figure}>
              <Figure name={`org.total.${member.id}`} value={member.total} link={member.links.total_reports} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {managers.length > maxRows ? (
      <p className="note">
        The {maxRows} largest of {formatInteger(managers.length)} parts.
      </p>
    ) : undefined}
  </>
)
