import type { Operation } from '../contract.ts'
import type { Fuzzer } from '../fuzzer.ts'

export interface Source {
  readonly name: string
  /** Short description of what the source tests. */
  readonly about: string
  run(fuzzer: Fuzzer): Promise<void>
}

/** The required query parameters, each with its first example, such as `by=status`. */
export const requiredQuery = ({ parameters }: Operation): Readonly<Record<string, string>> =>
  Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map(({ name, schema }) => [name, String(schema.examples?.[0])]),
  )

/** Content types of exports by the value of `format`. */
export const exportContentTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
}

export const apiPath = (fuzzer: Pick<Fuzzer, 'contract'>, path: string): string => `${fuzzer.contract.basePath}${path}`

/** The path of an operation, with the id of an existing record filled in if the path has one. */
export const existingPath = (fuzzer: Pick<Fuzzer, 'contract' | 'pools'>, { path, resource }: Operation): string =>
  apiPath(
    fuzzer,
    path.includes('{') ? path.replace('{item_id}', String(fuzzer.pools.recordsOf(resource)[0]?.id)) : path,
  )
