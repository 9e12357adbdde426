import { useNavigate } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { useWidth } from '../../components/chart/use-width.ts'
import { ExportButton } from '../../components/ExportButton.tsx'
import { Figure } from '../../components/Figure.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Pager } from '../../components/Pager.tsx'
import { useIsNarrow } from '../../components/use-is-narrow.ts'
import { WithheldNote } from '../../components/WithheldNote.tsx'
import { plural } from '../../format/labels.ts'
import { questions } from '../../frame/screens.ts'
import { joinValues } from '../../search-parameters.ts'
import { listPath } from '../../service/requests.ts'
import { Facet } from './Facets.tsx'
import { FilterChips } from './FilterChips.tsx'
import { FilterSheet } from './FilterSheet.tsx'
import { filterChips, noFilters } from './filter-chips.ts'
import { useFocusReturn } from './focus-return.ts'
import { useListKeys } from './list-keys.ts'
import { NobodyMatches } from './NobodyMatches.tsx'
import { PeopleCards } from './PeopleCards.tsx'
import styles from './PeopleScreen.module.css'
import { PeopleSearchField } from './PeopleSearchField.tsx'
import { PeopleTable } from './PeopleTable.tsx'
import { PersonDrawer } from './PersonDrawer.tsx'
import type { SortOrder } from './people-query.ts'
import { facetNames, pageSize, selectedValues, sortParameter } from './people-query.ts'
import { SortSelect } from './SortSelect.tsx'
import type { PeopleSearch } from './search.ts'
import type { Person } from './use-people.ts'
import { usePeople } from './use-people.ts'

/** Below this width of the list, people are lines instead of rows of a table. */
const narrow = 440

/** Looks at the people that are shown: while those of another filter are loading, the columns stay as they are. */
const isOneDepartment = (page: readonly Person[], ids: readonly number[] | undefined): boolean =>
  ids?.length === 1 && page.every(({ dept_id }) => dept_id === page[0]?.dept_id)

export const PeopleScreen = () => {
  const people = usePeople()
  const { search, filters, sort, list, facets } = people
  const navigate = useNavigate({ from: '/people' })
  const rowsRef = useRef<HTMLDivElement>(null)
  const [listRef, width] = useWidth<HTMLElement>()
  /** Whether the last selection in the list was made with a pointer. */
  const isPointer = useRef(false)
  const openId = /^\d{1,15}$/.test(search.open ?? '') ? Number(search.open) : undefined

  const change = useCallback(
    (next: Partial<PeopleSearch>, replace = false) =>
      void navigate({ search: (old: PeopleSearch) => ({ ...old, ...next }), replace, resetScroll: false }),
    [navigate],
  )
  /** The place in the list and the open person belong to the filters, so they go with them. */
  const filter = useCallback(
    (next: Partial<PeopleSearch>) => change({ offset: undefined, open: undefined, ...next }, 'q' in next),
    [change],
  )
  // Moving from person to person is one step of the browser's history.
  const open = useCallback((id: number) => change({ open: String(id) }, openId !== undefined), [change, openId])
  const close = useCallback(() => change({ open: undefined }), [change])
  const select = useCallback(
    (id: number | undefined): void => {
      if (id === undefined) close()
      else if (openId !== undefined || isPointer.current) open(id)
    },
    [open, close, openId],
  )
  const act = useCallback(
    (id: number): void => {
      if (openId === id) void navigate({ to: '/people/$id', params: { id: String(id) } })
      else open(id)
    },
    [open, openId, navigate],
  )
  const setSort = useCallback(
    ({ field, isDescending }: SortOrder) =>
      change({ sort: isDescending ? `-${field}` : field, offset: undefined, open: undefined }),
    [change],
  )
  const setTerm = useCallback((q: string) => filter({ q: q === '' ? undefined : q }), [filter])
  const isCovered = useIsNarrow() && openId !== undefined
  useFocusReturn(rowsRef, openId)
  useListKeys({ list: rowsRef, openId, onOpen: open, onClose: close })

  const chips = filterChips(search, (name) => facets[name]?.options.options ?? [])
  const total = list.data?.meta.total
  const path = listPath('employees', { ...filters, sort: sortParameter(sort) })
  const areCards = search.view === 'cards'
  const page = list.data?.data ?? []
  const index = page.findIndex(({ id }) => id === openId)

  const facetList = facetNames.map((name) => {
    const facet = facets[name]
    return facet === undefined ? undefined : (
      <Facet
        key={name}
        name={name}
        facet={facet.options}
        selected={selectedValues(search, name)}
        filters={filters}
        onChange={(values) => filter({ [name]: joinValues(values) })}
      />
    )
  })
  return (
    <div className={openId === undefined ? undefined : styles.withDrawer}>
      <div className={styles.stage} inert={isCovered}>
        <PageHead
          title="People"
          question={questions['/people']}
          how={
            <HowCounted
              title="People"
              definition="Employees who match the search and all filters, by their present status, department and office. The number beside a value of a filter says how many people that value has if the other filters stay as they are. “Out until” is the last day of an approved leave that includes today."
              path={path}
            />
          }
          tools={
            <>
              <ExportButton path={path} rows={total ?? 0} fileName="people" />
              <span className={styles.copy}>
                <CopyLinkButton />
              </span>
            </>
          }
        >
          <PeopleSearchField
            value={search.q ?? ''}
            placeholder={people.isWithheld ? 'Title, number, office' : 'Name, title, number'}
            onChange={setTerm}
          />
        </PageHead>
        {people.isWithheld ? <WithheldNote /> : undefined}
        <div className={styles.columns}>
          <search className={styles.facets} aria-label="Filters">
            {facetList}
          </search>
          <section
            aria-label="People"
            ref={listRef}
            className={styles.list}
            onPointerDownCapture={() => {
              isPointer.current = true
            }}
            onKeyDownCapture={() => {
              isPointer.current = false
            }}
          >
            <div className={styles.bar}>
              <FilterSheet filters={chips.length} total={total ?? 0}>
                {facetList}
              </FilterSheet>
              <FilterChips
                chips={chips}
                onRemove={({ without }) => filter(without)}
                onClear={() => filter(noFilters)}
              />
              {areCards || width < narrow ? (
                <SortSelect order={sort} isWithheld={people.isWithheld} onChange={setSort} />
              ) : undefined}
              <span role="status" className={styles.total}>
                {total === undefined ? undefined : (
                  <>
                    <b>
                      <Figure name="people.total" value={total} link={listPath('employees', filters)} />
                    </b>{' '}
                    {plural(total, 'person', 'people')}
                  </>
                )}
              </span>
              <ToggleButtonGroup
                className={`${buttonStyles.group} ${styles.view} only-wide`}
                aria-label="View"
                selectionMode="single"
                disallowEmptySelection
                selectedKeys={[areCards ? 'cards' : 'rows']}
                onSelectionChange={([view]) => change({ view: view === 'cards' ? 'cards' : undefined }, true)}
              >
                <ToggleButton id="rows">Rows</ToggleButton>
                <ToggleButton id="cards">Cards</ToggleButton>
              </ToggleButtonGroup>
            </div>
            <Loadable result={list} asked="the people of this list">
              {({ data, meta }) => {
                if (data.length === 0)
                  return <NobodyMatches people={people} chips={chips} total={meta.total} onChange={filter} />
                const { outUntil, asOf, isWithheld } = people
                const shared = { page: data, outUntil, asOf, openId, onSelect: select, onAction: act }
                return (
                  <div ref={rowsRef}>
                    {width === 0 ? undefined : areCards || width < narrow ? (
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
          </section>
        </div>
      </div>
      {openId === undefined || list.data === undefined ? undefined : (
        <PersonDrawer
          id={openId}
          known={page[index]}
          previous={page[index - 1]?.id}
          next={index === -1 ? undefined : page[index + 1]?.id}
          onMove={open}
          onClose={close}
        />
      )}
    </div>
  )
}
