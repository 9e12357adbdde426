import { Button } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { EmptyState } from '../../components/EmptyState.tsx'
import stateStyles from '../../components/State.module.css'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
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
  const remove = (names: readonly string[]): void =>
    changeList(Object.fromEntries(names.map((name) => [name, undefined])))
  return (
    <EmptyState
      title={`No ${resource.title} matches ${removable.length === 1 ? 'this filter' : `these ${removable.length} filters`}`}
    >
      <p>
        {removable.length === 1
          ? 'Without it the list has records.'
          : 'The number beside each filter is that of the records without it.'}
      </p>
      <p className={stateStyles.actions}>
        {removable.map(({ label, names }, index) => {
          const total = totals[index]
          return (
            <Button key={label} className={buttonStyles.button} onPress={() => remove(names)}>
              Remove <bdi>{label.slice(0, 60)}</bdi>
              {total === undefined ? undefined : (
                <span className="number muted">
                  {formatInteger(total)} {plural(total, 'row', 'rows')}
                </span>
              )}
            </Button>
          )
        })}
        {removable.length > 1 ? (
          <Button
            className={`${buttonStyles.button} ${buttonStyles.bare}`}
            onPress={() => remove(removable.flatMap(({ names }) => names))}
          >
            Clear all
          </Button>
        ) : undefined}
      </p>
    </EmptyState>
  )
}
