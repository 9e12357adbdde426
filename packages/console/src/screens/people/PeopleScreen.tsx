import { useNavigate } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { ExportButton } from '../../components/ExportButton.tsx'
import { Figure } from '../../components/Figure.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { WithheldNote } from '../../components/Withheld.tsx'
import { CountedFacet } from '../../explorer/CountedFacet.tsx'
import { ListExplorer } from '../../explorer/ListExplorer.tsx'
import { orderId, orderOf, sortChoices, sortKeys } from '../../explorer/sort-order.ts'
import { useListKeys } from '../../explorer/use-list-keys.ts'
import { useRowFocus } from '../../explorer/use-row-focus.ts'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { questionOf } from '../../frame/screens.ts'
import { Chip } from '../../kit/Chip.tsx'
import { SearchField } from '../../kit/Field.tsx'
import type { SortOrder } from '../../kit/GridTable.tsx'
import { Pager } from '../../kit/Pager.tsx'
import { Select } from '../../kit/Select.tsx'
import { ToggleGroup } from '../../kit/ToggleGroup.tsx'
import { useWidth } from '../../kit/use-width.ts'
import { joinValues } from '../../search-parameters.ts'
import { listPath } from '../../service/requests.ts'
import { partWidths } from '../../styles/breakpoints.ts'
import { filterChips, noFilters } from './filter-chips.ts'
import { NobodyMatches } from './NobodyMatches.tsx'
import { PeopleCards } from './PeopleCards.tsx'
import { PeopleTable } from './PeopleTable.tsx'
import { PersonDrawer } from './PersonDrawer.tsx'
import { facetNames, facetTitles, filtersWithout, pageSize, selectedValues, sortFields } from './people-query.ts'
import type { Person } from './use-people.ts'
import { usePeople } from './use-people.ts'

/** Looks at the people that are shown: while those of another filter are loading, the columns stay as they are. */
const isOneDepartment = (page: readonly Person[], ids: readonly number[] | undefined): boolean =>
  ids?.length === 1 && page.every(({ dept_id }) => dept_id === page[0]?.dept_id)

export const PeopleScreen = () => {
  const people = usePeople()
  const { search, openId, change, changeList, open, filters, sort, list, facets, isWithheld } = people
  const navigate = useNavigate()
  const rows = useRef<HTMLDivElement>(null)
  const [listRef, width] = useWidth<HTMLElement>()
  /** Whether the last selection in the list was made with a pointer. */
  const isPointer = useRef(false)
  const select = useCallback(
    (id: number | undefined): void => {
      if (id === undefined || openId !== undefined || isPointer.current) open(id)
    },
    [open, openId],
  )
  const act = useCallback(
    (id: number): void => {
      if (openId === id) void navigate({ to: '/people/$id', params: { id: String(id) } })
      else open(id)
    },
    [open, openId, navigate],
  )
  const setSort = useCallback((order: SortOrder) => changeList({ sort: orderId(order) }), [changeList])
  const setTerm = useCallback(
    (q: string) => changeList({ q: q === '' ? undefined : q }, { replace: true }),
    [changeList],
  )
  useListKeys({ openId, onOpen: open, rows })
  useRowFocus(rows, openId !== undefined, String(openId))

  const chips = filterChips(search, (name) => facets[name]?.options.options ?? [])
  const total = list.data?.meta.total
  const path = listPath('employees', { ...filters, sort: sortKeys(sort) })
  const areCards = search.view === 'cards'
  const page = list.data?.data ?? []
  const index = page.findIndex(({ id }) => id === openId)
  return (
    <ListExplorer
      label="People"
      layout="page"
      listRef={listRef}
      head={
        <>
          <PageHead
            title="People"
            question={questionOf('/people')}
            how={
              <HowCounted
                title="People"
                definition="Employees who match the search and all filters, without those who left if no status is chosen, by their present status, department and office. The number beside a value of a filter says how many people that value has if the other filters stay as they are. “Out until” is the last day of an approved leave that includes today."
                path={path}
              />
            }
            tools={
              <>
                <ExportButton path={path} rows={total ?? 0} fileName="people" />
                <span data-copy>
                  <CopyLinkButton />
                </span>
              </>
            }
          >
            <SearchField
              label="Search people"
              value={search.q ?? ''}
              placeholder={isWithheld ? 'Title, number, office' : 'Name, title, number'}
              onChange={setTerm}
            />
          </PageHead>
          {isWithheld ? <WithheldNote /> : undefined}
        </>
      }
      facets={{
        content: facetNames.map((name) => (
          <CountedFacet
            key={name}
            screen="people"
            resource="employees"
            name={name}
            title={facetTitles[name]}
            facet={facets[name]?.options}
            selected={selectedValues(search, name)}
            otherFilters={filtersWithout(filters, name)}
            onChange={(values) => changeList({ [name]: joinValues(values) })}
          />
        )),
        done: `Show ${formatInteger(total ?? 0)} ${plural(total ?? 0, 'person', 'people')}`,
      }}
      chips={{
        count: chips.length,
        onClear: () => changeList(noFilters),
        content: chips.map(({ key, title, text, without }) => (
          <Chip key={key} name={title} value={text} onRemove={() => changeList(without)} />
        )),
      }}
      beforeTotal={
        areCards || width < partWidths.peopleTable ? (
          <Select
            label="Sort"
            kind="bare"
            placement="bottom end"
            value={orderId(sort)}
            options={sortChoices(sortFields, isWithheld)}
            onChange={(id) => setSort(orderOf(id))}
          />
        ) : undefined
      }
      total={
        total === undefined ? undefined : (
          <>
            <Figure
              name="people.total"
              value={total}
              link={listPath('employees', filters)}
              what={`${plural(total, 'person', 'people')} in this list`}
            />{' '}
            {plural(total, 'person', 'people')} in this list
          </>
        )
      }
      tools={
        <ToggleGroup
          className="only-wide"
          label="View"
          value={areCards ? 'cards' : 'rows'}
          options={[
            ['rows', 'Rows'],
            ['cards', 'Cards'],
          ]}
          onChange={(view) => change({ view: view === 'cards' ? 'cards' : undefined }, { replace: true })}
        />
      }
      drawer={
        openId === undefined || list.data === undefined ? undefined : (
          <PersonDrawer
            id={openId}
            known={page[index]}
            previous={page[index - 1]?.id}
            next={index === -1 ? undefined : page[index + 1]?.id}
            onOpen={open}
          />
        )
      }
    >
      <Loadable result={list} asked="the people of this list">
        {({ data, meta }) => {
          if (data.length === 0)
            return <NobodyMatches people={people} chips={chips} total={meta.total} onChange={changeList} />
          const { outUntil, asOf } = people
          const shared = { page: data, outUntil, asOf, openId, onSelect: select, onAction: act }
          return (
            <div
              ref={rows}
              onPointerDownCapture={() => {
                isPointer.current = true
              }}
              onKeyDownCapture={() => {
                isPointer.current = false
              }}
            >
              {width === 0 ? undefined : areCards || width < partWidths.peopleTable ? (
                <PeopleCards {...shared} areLines={!areCards} />
              ) : (
                <PeopleTable
                  {...shared}
                  isWithheld={isWithheld}
                  hasOneDepartment={isOneDepartment(data, filters.dept_id)}
                  sort={sort}
                  width={width}
                  onSort={setSort}
                />
              )}
              <Pager offset={people.offset} shown={data.length} total={meta.total} size={pageSize} />
            </div>
          )
        }}
      </Loadable>
    </ListExplorer>
  )
}
