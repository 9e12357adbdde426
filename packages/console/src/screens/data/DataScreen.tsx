import type { Page } from '@muster/client'
import { MusterError } from '@muster/client'
import type { Resource } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Figure } from '../../components/Figure.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { useIsNarrow } from '../../components/use-is-narrow.ts'
import { ListExplorer } from '../../explorer/ListExplorer.tsx'
import type { Neighbours } from '../../explorer/use-list-keys.ts'
import { useListKeys } from '../../explorer/use-list-keys.ts'
import { plural } from '../../format/labels.ts'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { Pager } from '../../kit/Pager.tsx'
import { listPath } from '../../service/requests.ts'
import { AddFilter } from './AddFilter.tsx'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { CopyAs } from './CopyAs.tsx'
import { columnParameters } from './columns.ts'
import { listCall } from './copy-as.ts'
import { Facets, FacetsMenu } from './DataFacets.tsx'
import { FilterChips, filterCount } from './DataFilterChips.tsx'
import styles from './DataScreen.module.css'
import { Export } from './Export.tsx'
import { GoToRow } from './GoToRow.tsx'
import { PagedList, ScrolledList } from './Lists.tsx'
import type { Parameters, Row } from './list-query.ts'
import { clientQuery, isPaged, selection } from './list-query.ts'
import { MoreActions } from './MoreActions.tsx'
import { NoRows } from './NoRows.tsx'
import { Problems } from './Problems.tsx'
import { RecordDrawer } from './RecordDrawer.tsx'
import { resourceTitle } from './record-label.ts'
import { useRows } from './requests.ts'
import { SearchBox } from './SearchBox.tsx'
import { useExplorer, useResource } from './use-explorer.ts'
import { pageOffset, scrolledPage } from './use-scrolled-rows.ts'

/** The records of one resource. */
export const DataScreen = () => {
  const resource = useResource()
  return resource === undefined ? <UnknownResource /> : <Explorer key={resource.path} resource={resource} />
}

const UnknownResource = () => (
  <EmptyState title="There is no such resource">
    <p>
      The link may be misspelt.{' '}
      <Link className="link" to="/data">
        All resources
      </Link>
    </p>
  </EmptyState>
)

const Explorer = ({ resource }: { readonly resource: Resource }) => {
  const explorer = useExplorer()
  const { parameters, search, openId, open, change, changeList } = explorer
  const paged = isPaged(parameters)
  const isPhone = useIsNarrow()
  const { result, initialRow } = useFirstRows(resource, parameters, search._row)
  const [neighbours, setNeighbours] = useState<Neighbours>({})
  const goTo = useRef<(row: number) => void>(() => {})
  const setGoTo = useCallback((next: (row: number) => void) => {
    goTo.current = next
  }, [])
  useListKeys({ openId, onOpen: open, neighbours })

  // While the next list is loading, the earlier one stays, with its own parameters.
  const shown = useLastArrived(parameters, !result.isPlaceholderData && result.data !== undefined)
  const isFirstPicture = result.data === undefined && result.error === null
  const total = result.error === null ? result.data?.meta.total : undefined
  const path = listPath(resource.path, clientQuery(resource, parameters))
  const call = listCall(resource, parameters)
  const { count, without } = filterCount(explorer)
  const problems =
    result.error instanceof MusterError && result.error.problems.length > 0 && !result.isFetching
      ? result.error
      : undefined
  return (
    <ListExplorer
      label={resourceTitle(resource)}
      layout="window"
      head={
        <PageHead
          title={resourceTitle(resource)}
          question="Which records match?"
          how={
            <>
              <HowCounted
                title={resourceTitle(resource)}
                definition={`${resource.about} The number is exact: it counts the records that match the search and all filters, in the same snapshot of the database as the rows.`}
                path={path}
              />
              {/* Wide windows list the resources at the left. */}
              <Link className={`link only-phone ${styles.all}`} to="/data">
                All resources
              </Link>
            </>
          }
        >
          <SearchBox />
          {total === undefined || total === 0 ? undefined : (
            <>
              <GoToRow
                total={total}
                onGoTo={(row) => {
                  if (!paged) return goTo.current(row - 1)
                  const limit = result.data?.meta.limit ?? 1
                  change({ offset: String(Math.floor((row - 1) / limit) * limit) })
                }}
              />
              {isPhone ? undefined : <Export total={total} />}
            </>
          )}
          {isPhone ? undefined : <CopyAs path={path} call={call} />}
        </PageHead>
      }
      chips={{
        count,
        onClear: () => changeList(without),
        content: <FilterChips isFirstPicture={isFirstPicture} />,
      }}
      total={
        total === undefined ? undefined : (
          <>
            <Figure
              name="data.total"
              value={total}
              link={listPath(resource.path, clientQuery(resource, selection(parameters)))}
              what={plural(total, 'row', 'rows')}
            />{' '}
            {plural(total, 'row', 'rows')}
            {paged || total === 0 ? undefined : (
              <>
                , in id order <span className="only-wide">· sorted or searched lists are shown in pages</span>
              </>
            )}
          </>
        )
      }
      tools={
        <>
          <AddFilter />
          <ColumnsMenu />
          <FacetsMenu />
          {isPhone ? <MoreActions total={total} path={path} call={call} /> : undefined}
        </>
      }
      counts={<Facets isFirstPicture={isFirstPicture} />}
      drawer={
        openId === undefined ? undefined : (
          <RecordDrawer id={openId} neighbours={neighbours} isFirstPicture={isFirstPicture} />
        )
      }
    >
      {problems === undefined ? (
        <Loadable result={result} asked={`the ${resource.titles} of this list`}>
          {(page) => (
            <ListOf
              page={page}
              parameters={shown}
              initialRow={initialRow}
              onGoTo={setGoTo}
              onNeighbours={setNeighbours}
            />
          )}
        </Loadable>
      ) : (
        <Problems error={problems} />
      )}
    </ListExplorer>
  )
}

interface ListOfProps {
  readonly page: Page<Row>
  readonly parameters: Parameters
  readonly initialRow: number
  readonly onGoTo: (goTo: (row: number) => void) => void
  readonly onNeighbours: (neighbours: Neighbours) => void
}

const ListOf = ({ page, parameters, initialRow, onGoTo, onNeighbours }: ListOfProps) => {
  if (page.meta.total === 0) return <NoRows />
  return isPaged(parameters) ? (
    <>
      <PagedList parameters={parameters} page={page} onNeighbours={onNeighbours} />
      <Pager
        hasEnds
        total={page.meta.total}
        offset={page.meta.offset}
        shown={page.data.length}
        size={page.meta.limit}
        searchOf={(offset) => ({ offset })}
      />
    </>
  ) : (
    <ScrolledList
      parameters={parameters}
      total={page.meta.total}
      initialRow={Math.min(initialRow, Math.max(0, page.meta.total - 1))}
      onGoTo={onGoTo}
      onNeighbours={onNeighbours}
    />
  )
}

/**
 * The page that the list begins with. While the reader scrolls, the row in the URL changes, but not this page: its
 * total is that of the whole list.
 */
const useFirstRows = (resource: Resource, parameters: Parameters, row: string | undefined) => {
  const list = JSON.stringify(selection(parameters))
  const [begun, setBegun] = useState(() => ({ list, row: rowIndex(row) }))
  const current = begun.list === list ? begun : { list, row: rowIndex(row) }
  useEffect(() => {
    if (begun !== current) setBegun(current)
  }, [begun, current])
  const asked = { ...parameters, ...columnParameters(resource, parameters) }
  const result = useRows(resource, isPaged(parameters) ? asked : scrolledPage(asked, pageOffset(current.row)))
  return { result, initialRow: current.row }
}

const rowIndex = (row: string | undefined): number => (/^\d{1,15}$/.test(row ?? '') ? Math.max(0, Number(row) - 1) : 0)

const useLastArrived = (parameters: Parameters, hasArrived: boolean): Parameters => {
  const arrived = useRef(parameters)
  if (hasArrived) arrived.current = parameters
  return arrived.current
}
