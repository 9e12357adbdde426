import type { Resource } from '@muster/model'
import { listedResources } from '@muster/model'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ListState, ListUrl } from '../../explorer/use-list-state.ts'
import { useListState } from '../../explorer/use-list-state.ts'
import { useIsWithheld } from '../../service/use-is-withheld.ts'
import type { FilterField } from './filters.ts'
import { filterFields } from './filters.ts'
import type { Parameters } from './list-query.ts'
import { apiParameters } from './list-query.ts'

export interface Explorer extends ListState {
  readonly resource: Resource
  /** The parameters of the list in the API. */
  readonly parameters: Parameters
  readonly isWithheld: boolean
  /** The filters that this reader may use. */
  readonly filters: readonly FilterField[]
}

const url = { from: '/data/$resource', open: '_open', ofList: ['_row', 'offset'] } as const satisfies ListUrl

export const useResource = (): Resource | undefined => {
  const { resource: path } = useParams({ from: url.from })
  return listedResources.find((resource) => resource.path === path)
}

/** The state of the screen, which is the URL, and the ways to change it. */
export const useExplorer = (): Explorer => {
  const resource = useResource() as Resource
  const state = useListState(url)
  const isWithheld = useIsWithheld() === true
  return useMemo(
    () => ({
      ...state,
      resource,
      parameters: apiParameters(state.search),
      isWithheld,
      filters: filterFields(resource).filter(({ isPersonal }) => !(isPersonal && isWithheld)),
    }),
    [state, resource, isWithheld],
  )
}
