import type { Resource } from '@muster/model'
import { valueLabel } from '../../format/labels.ts'
import { screenPrefix } from '../keys.ts'
import { mainScreens, screenAt, tabsOf, titleOf, workListScreens } from '../screens.ts'
import { containsAll, searchTerms } from './matching-text.ts'

/** A place of the console that is found by its name. */
export interface Destination {
  readonly path: string
  readonly label: string
  readonly remark: string
}

const screenDestinations: readonly Destination[] = [
  ...mainScreens.map(({ path, label, key }) => ({ path, label, remark: `${screenPrefix} ${key}` })),
  ...mainScreens.flatMap((screen) =>
    tabsOf(screen.path).flatMap(({ path, label }) =>
      path === screen.path ? [] : { path, label, remark: screen.label },
    ),
  ),
  ...workListScreens.map(({ path, label }) => ({ path, label, remark: titleOf('/today') })),
]

/** The screens and the declared resources whose names contain the search terms. */
export const findDestinations = (query: string, resources: readonly Resource[]): Destination[] => {
  const terms = searchTerms(query)
  const all = [
    ...screenDestinations,
    ...resources.map(({ path, titles, area }) => ({ path: `/data/${path}`, label: valueLabel(titles), remark: area })),
  ]
  return terms.length === 0
    ? all.filter(({ path }) => screenAt(path)?.key !== undefined)
    : all.filter(({ path, label }) => containsAll(`${label} ${path}`, terms))
}

/** The resources whose records can be found by a text. A status alone is a filter, not something to search. */
export const searchable = (resources: readonly Resource[]): Resource[] =>
  resources.filter(({ searchableFields }) => searchableFields.some(({ state }) => state !== true))
