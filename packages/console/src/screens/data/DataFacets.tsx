import type { AnyGroup } from '@muster/client'
import { MusterError } from '@muster/client'
import type { Grouping } from '@muster/model'
import { groupingsOf } from '@muster/model'
import { ChartBarDecreasing, X } from 'lucide-react'
import { Bars } from '../../components/Bars.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { IconButton } from '../../kit/IconButton.tsx'
import { joinValues, splitValues } from '../../search-parameters.ts'
import { listPath } from '../../service/requests.ts'
import { CheckboxMenu } from './CheckboxMenu.tsx'
import styles from './DataFacets.module.css'
import { groupingLabel, groupParameters } from './filters.ts'
import { clientQuery, omit, selection } from './list-query.ts'
import { useGroups, useNames } from './requests.ts'
import type { Explorer } from './use-explorer.ts'
import { useExplorer } from './use-explorer.ts'
import { Null } from './Value.tsx'

const chosenFacets = ({ search }: Explorer): readonly string[] => splitValues(search._facets)

/** The groupings that this reader may use. */
const offeredGroupings = ({ resource, isWithheld }: Explorer): readonly Grouping[] =>
  groupingsOf(resource).filter(({ field }) => !(field.personal && isWithheld))

/** Chooses by which fields the records of the list are counted. */
export const FacetsMenu = () => {
  const explorer = useExplorer()
  const chosen = chosenFacets(explorer)
  return (
    <CheckboxMenu
      title="Facets"
      icon={ChartBarDecreasing}
      about="Counts the records of this list by the values of a field."
      choices={offeredGroupings(explorer).map((grouping) => ({ name: grouping.name, label: groupingLabel(grouping) }))}
      chosen={chosen}
      onToggle={(name) =>
        explorer.change(
          { _facets: joinValues(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name]) },
          { replace: true },
        )
      }
    />
  )
}

/** The counts of the chosen facets. */
export const Facets = ({ isFirstPicture }: { readonly isFirstPicture: boolean }) => {
  const explorer = useExplorer()
  const groupings = offeredGroupings(explorer)
  const chosen = chosenFacets(explorer).flatMap((name) => groupings.find((grouping) => grouping.name === name) ?? [])
  if (chosen.length === 0) return undefined
  return (
    <div className={styles.facets}>
      {chosen.map((grouping) => (
        <Facet
          key={grouping.name}
          grouping={grouping}
          isFirstPicture={isFirstPicture}
          onRemove={() =>
            explorer.change({
              _facets: joinValues(chosenFacets(explorer).filter((other) => other !== grouping.name)),
            })
          }
        />
      ))}
    </div>
  )
}

interface FacetProps {
  readonly grouping: Grouping
  readonly isFirstPicture: boolean
  readonly onRemove: () => void
}

/** More values than this are not shown. They are counted too. */
const maxShown = 50

const Facet = ({ grouping, isFirstPicture, onRemove }: FacetProps) => {
  const { resource, parameters } = useExplorer()
  const { name, field, unit } = grouping
  const label = groupingLabel(grouping)
  const result = useGroups(resource, name, selection(parameters), { enabled: !isFirstPicture })
  const groups = result.data?.data ?? []
  // Periods stay in their order; other values are ranked.
  const ranked =
    unit === undefined ? groups.toSorted((a, b) => b.count - a.count).slice(0, maxShown) : groups.slice(-maxShown)
  const names = useNames(
    unit === undefined ? field.references?.resource : undefined,
    ranked.map((group) => String(group[name])),
  )
  return (
    <section className={styles.facet} aria-label={`Facet ${label}`}>
      <h2 className={styles.title}>
        <span>{label}</span>
        <IconButton icon={X} size={13} label={`Remove the facet ${label}`} onPress={onRemove} />
      </h2>
      {isTooManyGroups(result.error) ? (
        <p className="note">More than 1,000 different values. Filter the list, or choose a coarser facet.</p>
      ) : (
        <Loadable result={result} asked={`the values of ${label}`}>
          {({ meta }) => (
            <>
              <div className={styles.values}>
                <Bars
                  of={label}
                  name={`data.facet.${name}`}
                  bars={ranked.map((group) => {
                    const value = group[name] ?? null
                    return {
                      key: String(value),
                      label: value === null ? <Null /> : <bdi>{names.get(String(value)) ?? String(value)}</bdi>,
                      value: group.count,
                      link: groupLink(resource, parameters, name, group),
                    }
                  })}
                />
              </div>
              <p className="note">
                {formatInteger(meta.groups)} {plural(meta.groups, 'value', 'values')}
                {meta.groups > maxShown ? `, ${maxShown} of them shown` : ''}
              </p>
            </>
          )}
        </Loadable>
      )}
    </section>
  )
}

const isTooManyGroups = (error: Error | null): boolean =>
  error instanceof MusterError && error.problems.some(({ type }) => type === 'too_many_groups')

/** The list of the records of one group: the present list with one more filter. */
const groupLink = (
  resource: Explorer['resource'],
  parameters: Explorer['parameters'],
  name: string,
  group: AnyGroup,
): string | undefined => {
  const filter = groupParameters(resource, name, group[name] ?? null)
  return filter === undefined
    ? undefined
    : listPath(resource.path, clientQuery(resource, { ...omit(selection(parameters), Object.keys(filter)), ...filter }))
}
