import { Figure } from '../../components/Figure.tsx'
import { Facet } from '../../kit/Facet.tsx'
import { listPath } from '../../service/requests.ts'
import type { FacetOptions } from './facets.ts'
import type { FacetName, PeopleFilters } from './people-query.ts'
import { facetTitles, filtersWithout } from './people-query.ts'

interface PeopleFacetProps {
  readonly name: FacetName
  /** Undefined until it is counted. */
  readonly facet: FacetOptions | undefined
  readonly selected: readonly string[]
  readonly filters: PeopleFilters
  readonly onChange: (values: string[]) => void
}

export const PeopleFacet = ({ name, facet, selected, filters, onChange }: PeopleFacetProps) =>
  facet === undefined ? undefined : (
    <Facet
      title={facetTitles[name]}
      options={facet.options}
      selected={selected}
      onChange={onChange}
      countOf={({ value, count }) => <Figure name={`people.facet.${name}.${value}`} value={count} />}
      others={
        facet.others === 0
          ? undefined
          : {
              label: facet.othersAreNull ? 'Not set' : 'Other or not set',
              count: (
                <Figure
                  name={`people.facet.${name}.null`}
                  value={facet.others}
                  what={`${facetTitles[name]}: not set`}
                  link={
                    facet.othersAreNull
                      ? listPath('employees', { ...filtersWithout(filters, name), [`${name}_is_null`]: true })
                      : undefined
                  }
                />
              ),
            }
      }
    />
  )
