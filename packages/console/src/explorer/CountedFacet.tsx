import { Figure } from '../components/Figure.tsx'
import { Facet } from '../kit/Facet.tsx'
import { listPath } from '../service/requests.ts'
import type { FacetOptions } from './facet-options.ts'

interface CountedFacetProps {
  /** Prefix of the names of the figures, such as `people`. */
  readonly screen: string
  readonly resource: string
  /** The field by which the facet filters. */
  readonly name: string
  readonly title: string
  /** Undefined until it is counted. */
  readonly facet: FacetOptions | undefined
  readonly selected: readonly string[]
  /** All filters but that of the facet. */
  readonly otherFilters: object
  readonly onChange: (values: string[]) => void
}

/** A facet of a list, with the number of records of each value. */
export const CountedFacet = (props: CountedFacetProps) => {
  const { screen, resource, name, title, facet, selected, otherFilters, onChange } = props
  return facet === undefined ? undefined : (
    <Facet
      title={title}
      options={facet.options}
      selected={selected}
      onChange={onChange}
      countOf={({ value, count }) => <Figure name={`${screen}.facet.${name}.${value}`} value={count} />}
      others={
        facet.others === 0
          ? undefined
          : {
              label: facet.othersAreNull ? 'Not set' : 'Other or not set',
              count: (
                <Figure
                  name={`${screen}.facet.${name}.null`}
                  value={facet.others}
                  what={`${title}: not set`}
                  link={
                    facet.othersAreNull ? listPath(resource, { ...otherFilters, [`${name}_is_null`]: true }) : undefined
                  }
                />
              ),
            }
      }
    />
  )
}
