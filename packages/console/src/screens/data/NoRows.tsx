import { NoMatches } from '../../explorer/NoMatches.tsx'
import { plural } from '../../format/labels.ts'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { activeFilters, filterText } from './filters.ts'
import { omit, selection } from './list-query.ts'
import { resourceTitle } from './record-label.ts'
import { useTotals } from './requests.ts'
import { useExplorer } from './use-explorer.ts'

/** Says which filters leave nothing, and how many records there would be without each of them. */
export const NoRows = () => {
  const { resource, parameters, changeList } = useExplorer()
  const selected = selection(parameters)
  const removable = [
    ...(selected.q === undefined ? [] : [{ label: `search ${selected.q}`, names: ['q'] }]),
    ...activeFilters(resource, parameters).active.map((active) => ({
      label: `${active.filter.key} ${filterText(active)}`,
      names: Object.values(active.filter.parameters),
    })),
  ]
  const totals = useTotals(removable.map(({ names }) => ({ resource, parameters: omit(selected, names) })))
  if (removable.length === 0)
    return (
      <EmptyState title={`There are no ${resource.titles} yet`}>
        <p>{resourceTitle(resource)} is empty in this database. Add records with an import or through the API.</p>
      </EmptyState>
    )
  const without = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]))
  return (
    <NoMatches
      what={`No ${resource.title} matches`}
      count={removable.length}
      unit={(total) => plural(total, 'row', 'rows')}
      removals={removable.map(({ label, names }, index) => ({
        key: label,
        label,
        remaining: totals[index],
        without: without(names),
      }))}
      onRemove={changeList}
      onClear={() => changeList(without(removable.flatMap(({ names }) => names)))}
    >
      {removable.length === 1
        ? 'Without it the list has records.'
        : 'The number beside each filter is that of the records without it.'}
    </NoMatches>
  )
}
