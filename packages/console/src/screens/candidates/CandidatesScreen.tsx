import { useNavigate } from '@tanstack/react-router'
import { Table2 } from 'lucide-react'
import { useCallback, useRef } from 'react'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { dataLocation } from '../../components/data-links.ts'
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
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { questionOf, titleOf } from '../../frame/screens.ts'
import { ButtonLink } from '../../kit/Button.tsx'
import { Chip } from '../../kit/Chip.tsx'
import { SearchField } from '../../kit/Field.tsx'
import type { SortOrder } from '../../kit/GridTable.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { Pager } from '../../kit/Pager.tsx'
import { Select } from '../../kit/Select.tsx'
import { useWidth } from '../../kit/use-width.ts'
import { joinValues } from '../../search-parameters.ts'
import { listPath } from '../../service/requests.ts'
import { partWidths } from '../../styles/breakpoints.ts'
import { CandidateLines, CandidateTable } from './CandidateTable.tsx'
import {
  candidateChips,
  facetNames,
  facetTitles,
  filtersWithout,
  noFilters,
  pageSize,
  selectedValues,
  sortFields,
} from './candidate-query.ts'
import { NoCandidates } from './NoCandidates.tsx'
import { useCandidates } from './use-candidates.ts'

export const CandidatesScreen = () => {
  const candidates = useCandidates()
  const { search, openId, open, changeList, filters, sort, list, facets, applications, isWithheld } = candidates
  const navigate = useNavigate()
  const rows = useRef<HTMLDivElement>(null)
  const [listRef, width] = useWidth<HTMLElement>()
  const openCandidate = useCallback(
    (id: number) => void navigate({ to: '/hiring/candidates/$id', params: { id: String(id) } }),
    [navigate],
  )
  const setSort = useCallback((order: SortOrder) => changeList({ sort: orderId(order) }), [changeList])
  const setTerm = useCallback(
    (q: string) => changeList({ q: q === '' ? undefined : q }, { replace: true }),
    [changeList],
  )
  useListKeys({ openId, onOpen: open, rows })

  const chips = candidateChips(search)
  const total = list.data?.meta.total
  const path = listPath('candidates', { ...filters, sort: sortKeys(sort) })
  const isNarrow = width < partWidths.peopleTable
  return (
    <ListExplorer
      label="Candidates"
      layout="page"
      listRef={listRef}
      head={
        <>
          <PageHead
            title={titleOf('/hiring/candidates')}
            question={questionOf('/hiring/candidates')}
            how={
              <HowCounted
                title="Candidates"
                definition="Candidates who match the search and all filters. The number beside a value of a filter says how many candidates that value has if the other filters stay as they are. The latest application is the newest that is not decided, or else the newest."
                path={path}
              />
            }
            tools={
              <>
                <ExportButton path={path} rows={total ?? 0} fileName="candidates" />
                <CopyLinkButton />
                <ButtonLink kind="bare" {...dataLocation(path)}>
                  <Icon of={Table2} /> <span>Open as data</span>
                </ButtonLink>
              </>
            }
          >
            <SearchField
              label="Search candidates"
              value={search.q ?? ''}
              placeholder={isWithheld ? 'Title, headline, source' : 'Name, title, place'}
              onChange={setTerm}
            />
          </PageHead>
          {isWithheld ? <WithheldNote what="names, contact, place, employer and notes of candidates" /> : undefined}
        </>
      }
      facets={{
        content: facetNames.map((name) => (
          <CountedFacet
            key={name}
            screen="candidates"
            resource="candidates"
            name={name}
            title={facetTitles[name]}
            facet={facets[name]?.options}
            selected={selectedValues(search, name)}
            otherFilters={filtersWithout(filters, name)}
            onChange={(values) => changeList({ [name]: joinValues(values) })}
          />
        )),
        done: `Show ${formatInteger(total ?? 0)} ${plural(total ?? 0, 'candidate', 'candidates')}`,
      }}
      chips={{
        count: chips.length,
        onClear: () => changeList(noFilters),
        content: chips.map(({ key, title, text, without }) => (
          <Chip key={key} name={title} value={text} onRemove={() => changeList(without)} />
        )),
      }}
      beforeTotal={
        isNarrow ? (
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
              name="candidates.total"
              value={total}
              link={listPath('candidates', filters)}
              what={plural(total, 'candidate', 'candidates')}
            />{' '}
            {plural(total, 'candidate', 'candidates')}
          </>
        )
      }
      drawer={undefined}
    >
      <Loadable result={list} asked="the candidates of this list">
        {({ data, meta }) => {
          if (data.length === 0)
            return (
              <NoCandidates filters={filters} facets={facets} chips={chips} total={meta.total} onChange={changeList} />
            )
          const shared = { page: data, applications, onOpen: openCandidate }
          return (
            <div ref={rows}>
              {width === 0 ? undefined : isNarrow ? (
                <CandidateLines {...shared} />
              ) : (
                <CandidateTable {...shared} isWithheld={isWithheld} sort={sort} width={width} onSort={setSort} />
              )}
              <Pager offset={candidates.offset} shown={data.length} total={meta.total} size={pageSize} />
            </div>
          )
        }}
      </Loadable>
    </ListExplorer>
  )
}
