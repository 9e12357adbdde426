/** The parameters of the screen as a request of the API. */
import type { AnyRecord } from '@muster/client'
import type { Resource } from '@muster/model'
import type { SearchParameters } from '../../search-parameters.ts'
import { splitValues } from '../../search-parameters.ts'

export type Parameters = Readonly<Record<string, string>>
export type Row = AnyRecord

/** Parameters of a list that are no filters. */
const listParameters = ['q', 'sort', 'limit', 'offset', 'fields', 'expand']

/**
 * The parameters of the list in the API. Blank ones are left out, because the service ignores them, and `format`,
 * because the screen always shows pages.
 */
export const apiParameters = (search: SearchParameters): Parameters =>
  Object.fromEntries(
    Object.entries(search).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        entry[1].trim() !== '' &&
        !entry[0].startsWith('_') &&
        entry[0] !== 'as_of' &&
        entry[0] !== 'format',
    ),
  )

/** What selects records: filters and search, without order, page and columns. */
export const selection = (parameters: Parameters): Parameters =>
  omit(
    parameters,
    listParameters.filter((name) => name !== 'q'),
  )

export const filterParameters = (parameters: Parameters): Parameters => omit(parameters, listParameters)

export const omit = (parameters: Parameters, names: readonly string[]): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)))

/** The name of the resource in the client: `careerSites` for `career-sites`. */
export const clientName = (path: string): string => path.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/**
 * The query for the client. It joins lists and doubles the commas within values, so lists are split here. Parameters
 * that take one text stay as they are.
 */
export const clientQuery = (
  { computedFilters }: Resource,
  parameters: Parameters,
): Record<string, string | readonly string[]> => {
  const singleTexts = ['q', ...computedFilters.filter(({ kind }) => kind === 'text').map(({ parameter }) => parameter)]
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      singleTexts.includes(name) ? value : splitValues(value).filter((item) => item.trim() !== ''),
    ]),
  )
}

/**
 * Whether the list is shown page by page. Any row of a list in the order of ids is found at once, so such a list is
 * scrolled as a whole.
 */
export const isPaged = ({ sort, q, limit, offset }: Parameters): boolean =>
  (sort !== undefined && sort !== 'id') || q !== undefined || limit !== undefined || offset !== undefined
