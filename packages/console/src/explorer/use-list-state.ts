import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { SearchParameters } from '../search-parameters.ts'
import { parseId } from '../search-parameters.ts'

/** What is different about the URLs of the explorers. */
export interface ListUrl {
  readonly from: '/people' | '/hiring/candidates' | '/data/$resource'
  /** The search parameter with the id of the open record. Without it, records open on screens of their own. */
  readonly open?: 'open' | '_open'
  /** The parameters that belong to one list. Another filter or order removes them. */
  readonly ofList: readonly string[]
}

export interface ListState {
  readonly search: SearchParameters
  readonly openId: number | undefined
  /** Changes search parameters. Undefined removes one. */
  readonly change: (patch: SearchParameters, options?: { readonly replace?: boolean }) => void
  /** Changes what the list contains, or its order, and goes back to its beginning. */
  readonly changeList: (patch: SearchParameters, options?: { readonly replace?: boolean }) => void
  /** Opens a record in the drawer; undefined closes it. Moving from record to record is one step of the browser's history. */
  readonly open: (id: number | undefined) => void
}

/** The state of a list, which is the URL, and the ways to change it. The URL must be the same object each time. */
export const useListState = (url: ListUrl): ListState => {
  const search: SearchParameters = useSearch({ from: url.from })
  const navigate = useNavigate({ from: url.from })
  const openId = url.open === undefined ? undefined : parseId(search[url.open])
  const isOpen = openId !== undefined
  const change = useCallback<ListState['change']>(
    (patch, { replace = false } = {}) =>
      void navigate({
        to: '.',
        search: (old: SearchParameters) => ({ ...old, ...patch }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  )
  const changeList = useCallback<ListState['changeList']>(
    (patch, options) =>
      change({ ...Object.fromEntries(url.ofList.map((name) => [name, undefined])), ...patch }, options),
    [change, url],
  )
  const open = useCallback<ListState['open']>(
    (id) => {
      if (url.open !== undefined) change({ [url.open]: id?.toString() }, { replace: isOpen && id !== undefined })
    },
    [change, url, isOpen],
  )
  return useMemo(() => ({ search, openId, change, changeList, open }), [search, openId, change, changeList, open])
}
