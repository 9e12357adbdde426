import type { Resource } from '@muster/model'
import { resources } from '@muster/model'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { SearchParameters } from '../../search-parameters.ts'
import { useIsWithheld } from '../../service/visibility.ts'
import type { FilterField } from './filters.ts'
import { filterFields } from './filters.ts'
import type { Parameters } from './list-query.ts'
import { apiParameters } from './list-query.ts'

export interface Explorer {
  readonly resource: Resource
  readonly search: SearchParameters
  /** The parameters of the list in the API. */
  readonly parameters: Parameters
  readonly isWithheld: boolean
  /** The filters that this reader may use. */
  readonly filters: readonly FilterField[]
  /** Changes search parameters. Undefined removes one. */
  readonly change: (patch: SearchParameters, options?: { readonly replace?: boolean }) => void
  /** Changes what the list contains, or its order, and goes back to its beginning. */
  readonly changeList: (patch: SearchParameters, options?: { readonly replace?: boolean }) => void
}

const from = '/data/$resource'

export const useResource = (): Resource | undefined => {
  const { resource: path } = useParams({ from })
  return resources.find((resource) => resource.path === path)
}

/** The state of the screen, which is the URL, and the ways to change it. */
export const useExplorer = (): Explorer => {
  const resource = useResource() as Resource
  const search: SearchParameters = useSearch({ from })
  const navigate = useNavigate({ from })
  const isWithheld = useIsWithheld() === true
  const change = useCallback<Explorer['change']>(
    (patch, { replace = false } = {}) =>
      void navigate({ search: (old: SearchParameters) => ({ ...old, ...patch }), replace, resetScroll: false }),
    [navigate],
  )
  const changeList = useCallback<Explorer['changeList']>(
    (patch, options) => change({ _row: undefined, offset: undefined, ...patch }, options),
    [change],
  )
  return useMemo(
    () => ({
      resource,
      search,
      parameters: apiParameters(search),
      isWithheld,
      filters: filterFields(resource).filter(({ isPersonal }) => !(isPersonal && isWithheld)),
      change,
      changeList,
    }),
    [resource, search, isWithheld, change, changeList],
  )
}
