/** Requests for any resource, whose types are known only at run time. */
import type { Client } from '@muster/client'
import type { Resource } from '@muster/model'
import { pageLimits, resourceAt, resources } from '@muster/model'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { anyCountQuery, anyListQuery, anyRecordQuery, useRequest } from '../../service/queries.ts'
import { useSession } from '../../service/session.tsx'
import type { Parameters } from './list-query.ts'
import { clientQuery } from './list-query.ts'
import { lookupFields, recordLabel } from './record-label.ts'

interface Options {
  readonly enabled?: boolean | undefined
}

export const useRows = (resource: Resource, parameters: Parameters, options?: Options) =>
  useRequest(anyListQuery(useSession().client, resource.path, clientQuery(resource, parameters)), options)

export const useRow = (resource: Resource, id: number, selection: Parameters, options?: Options) =>
  useRequest(anyRecordQuery(useSession().client, resource.path, id, clientQuery(resource, selection)), options)

export const useGroups = (resource: Resource, by: string, parameters: Parameters, options?: Options) =>
  useRequest(anyCountQuery(useSession().client, resource.path, { ...clientQuery(resource, parameters), by }), options)

/** The query of one page, as `useRows` has it, for `useQueries`. */
const pageQuery = (client: Client, resource: Resource, parameters: Parameters, enabled: boolean) => ({
  ...anyListQuery(client, resource.path, clientQuery(resource, parameters)),
  enabled,
  // Pages that were scrolled past are dropped soon: there may be thousands of them.
  gcTime: 60_000,
})

export const usePages = (
  resource: Resource,
  pages: readonly { readonly parameters: Parameters; readonly enabled: boolean }[],
) => {
  const { client } = useSession()
  return useQueries({
    queries: pages.map(({ parameters, enabled }) => pageQuery(client, resource, parameters, enabled)),
  })
}

interface CountedList {
  readonly resource: Resource
  readonly parameters: Parameters
}

const totalQueries = (client: Client, lists: readonly CountedList[], enabled: boolean) =>
  lists.map(({ resource, parameters }) =>
    pageQuery(client, resource, { ...parameters, fields: 'id', limit: '1' }, enabled),
  )

/** The exact number of records of several lists. Undefined until it is known. */
export const useTotals = (
  lists: readonly CountedList[],
  { enabled = true }: Options = {},
): readonly (number | undefined)[] => {
  const { client } = useSession()
  return useQueries({
    queries: totalQueries(client, lists, enabled),
    combine: (results) => results.map(({ data }) => data?.meta.total),
  })
}

/** The first error among the requests of `useTotals`, and a function that repeats those that failed. */
export const useTotalsError = (
  lists: readonly CountedList[],
  { enabled = true }: Options = {},
): { readonly error: Error | undefined; readonly retry: () => void } => {
  const { client } = useSession()
  return useQueries({
    queries: totalQueries(client, lists, enabled),
    combine: (results) => {
      const failed = results.filter(({ error }) => error !== null)
      return {
        error: failed[0]?.error ?? undefined,
        retry: () => {
          for (const { refetch } of failed) void refetch()
        },
      }
    },
  })
}

/** The names of referenced records, in one request. Ids without a name stay out of the map. */
export const useNames = (
  path: string | undefined,
  ids: readonly string[],
  { enabled = true }: Options = {},
): ReadonlyMap<string, string> => {
  const resource = path === undefined ? (resources[0] as Resource) : resourceAt(path)
  const wanted = ids.filter((id) => /^\d+$/.test(id)).slice(0, pageLimits.maxLimit)
  const { data, isPlaceholderData } = useRows(
    resource,
    { id: wanted.join(','), fields: lookupFields(resource).join(','), limit: String(pageLimits.maxLimit) },
    { enabled: enabled && path !== undefined && wanted.length > 0 },
  )
  return useMemo(
    () =>
      new Map(
        path === undefined || isPlaceholderData
          ? []
          : data?.data.flatMap((row) => {
              const label = recordLabel(resource, row)
              return label === undefined ? [] : [[String(row.id), label] as const]
            }),
      ),
    [path, data, isPlaceholderData, resource],
  )
}
