/** Every kind of request, and what it reads, computed from the declarations. */
import { careerTables, overviewTables } from '@muster/career-sites'
import type { ComputedFilter, ListFilter, Report, Resource, SearchRelation } from '@muster/model'
import {
  exampleGrouping,
  groupingsOf,
  isCountable,
  listedResources,
  relationFilters,
  reports,
  resources,
  searchedResources,
  trackedFields,
} from '@muster/model'
import { callMessage } from './mcp.ts'

export interface Operation {
  readonly kind: string
  /** Below the base URL of the API; undefined for a call of a tool. */
  readonly path?: string
  readonly tool?: { readonly name: string; readonly message: object }
  readonly headers?: Readonly<Record<string, string>>
  /** Paths of the resources that it reads. */
  readonly reads: readonly string[]
  /** The name of the report, unless a resource has this name. */
  readonly report?: string
  /** Responses differ by the resources that a token may read: the list of the history, and the feed. */
  readonly filtered?: { readonly by: readonly string[]; readonly pathFor: (paths: readonly string[]) => string }
  /** The resource of which it creates a record. */
  readonly creates?: string
}

const pathOfTable = (table: string): string =>
  listedResources.find((resource) => resource.table === table)?.path ?? table
const pathsOf = (tables: readonly string[]): string[] => [...new Set(tables.map(pathOfTable))]
const tracked = resources.filter((resource) => trackedFields(resource).length > 0).map(({ path }) => path)
const isHistory = ({ path }: Resource): boolean => path === 'history'

const formats = ['', '&format=csv', '&format=ndjson']

const listOperations = (resource: Resource): Operation[] => {
  const { path } = resource
  const base = isHistory(resource)
    ? { reads: ['history'], filtered: historyFilter((paths) => `/v1/history?limit=7&resource=${paths}`) }
    : { reads: [path] }
  const own = formats.map((format): Operation => {
    const query = `limit=7${format}`
    return {
      kind: isHistory(resource) ? 'filtered' : format === '' ? 'list' : 'export',
      path: `/v1/${path}?${query}`,
      ...base,
      ...(isHistory(resource) ? { filtered: historyFilter((paths) => `/v1/history?${query}&resource=${paths}`) } : {}),
    }
  })
  const counts: Operation[] = isCountable(resource)
    ? [
        {
          kind: isHistory(resource) ? 'filtered' : 'count',
          path: `/v1/counts/${path}?by=${exampleGrouping(resource)}`,
          ...base,
          ...(isHistory(resource)
            ? {
                filtered: historyFilter(
                  (paths) => `/v1/counts/history?by=${exampleGrouping(resource)}&resource=${paths}`,
                ),
              }
            : {}),
        },
      ]
    : []
  const record: Operation = {
    kind: 'get',
    path: `/v1/${path}/1`,
    reads: isHistory(resource) ? ['history', ...tracked] : [path],
  }
  const personal = resource.listFilters.filter(({ field, test }) => field.personal && test !== 'not')
  const byPersonal = personal.map(
    (filter): Operation => ({ kind: 'personal filter', path: `/v1/${path}?${pairOf(filter)}`, reads: [path] }),
  )
  return [...own, ...counts, record, ...byPersonal]
}

const historyFilter = (pathFor: (paths: readonly string[]) => string) => ({ by: tracked, pathFor })

const exampleOf = ({ field, test }: Pick<ListFilter, 'field' | 'test'>): string => {
  if (test === 'is_null') return 'true'
  switch (field.kind) {
    case 'date':
    case 'timestamp':
      return '2025-06-01'
    case 'text':
      return 'active'
    default:
      return '1'
  }
}
const pairOf = ({ parameter, ...filter }: ListFilter): string => `${parameter}=${exampleOf(filter)}`

const relatedOperations = (resource: Resource): Operation[] => {
  const { path, relations } = resource
  return relations.flatMap((relation): Operation[] => {
    const reads = [path, relation.resource]
    const filters = relationFilters(resource).filter((filter) => filter.relation === relation)
    const groupings = groupingsOf(resource).filter((grouping) => grouping.relation === relation)
    return [
      ...['', '&format=ndjson'].map(
        (format): Operation => ({
          kind: 'expand',
          path: `/v1/${path}?limit=5&expand=${relation.name}${format}`,
          reads,
        }),
      ),
      { kind: 'expand', path: `/v1/${path}/1?expand=${relation.name}`, reads },
      { kind: 'fields', path: `/v1/${path}?limit=5&fields=id,${relation.field.name}`, reads: [path] },
      ...filters.flatMap((filter, index): Operation[] => [
        { kind: 'relation filter', path: `/v1/${path}?limit=5&${pairOf(filter)}${formats[index % 3]}`, reads },
        ...(index === 0 && isCountable(resource)
          ? [{ kind: 'count', path: `/v1/counts/${path}?by=${exampleGrouping(resource)}&${pairOf(filter)}`, reads }]
          : []),
      ]),
      ...groupings.map(
        ({ name }): Operation => ({ kind: 'count', path: `/v1/counts/${path}?by=${name}&limit=5`, reads }),
      ),
    ]
  })
}

const computedOperations = (resource: Resource): Operation[] =>
  resource.computedFilters.flatMap((filter) =>
    valuesOf(filter).map((value): Operation => {
      const tables = filter.tablesByValue?.[value] ?? filter.tables
      const reads = [resource.path, ...pathsOf(tables)]
      return { kind: 'computed filter', path: `/v1/${resource.path}?limit=5&${filter.parameter}=${value}`, reads }
    }),
  )

const valuesOf = ({ kind, values = [] }: ComputedFilter): readonly string[] => {
  switch (kind) {
    case 'choice':
      return values
    case 'date':
      return ['2025-06-01']
    case 'month-day':
      return ['06-01']
    case 'id':
      return ['1']
    case 'text':
      return ['interview']
  }
}

const historyOperations: readonly Operation[] = [
  ...tracked.map(
    (path): Operation => ({ kind: 'history of a record', path: `/v1/${path}/1/history`, reads: [path, 'history'] }),
  ),
  ...tracked.flatMap((path): Operation[] => [
    { kind: 'history', path: `/v1/history?limit=5&resource=${path}`, reads: ['history', path] },
    {
      kind: 'history',
      path: `/v1/history?resource=${path.toUpperCase()}&format=csv&limit=5`,
      reads: ['history', path],
    },
  ]),
]

/** The parameters of a report that can change which tables it reads, one at a time. */
const reportOperations = (report: Report): Operation[] => {
  const choices = report.allParameters.flatMap(({ name, kind, values = [] }) =>
    kind === 'choice' ? values.map((value) => ({ [name]: value })) : [],
  )
  const defaults = Object.fromEntries(report.allParameters.map(({ name }) => [name, null]))
  return [{}, ...choices, ...(report.past === undefined ? [] : [{ as_of: '2025-06-01' }])].flatMap((given) => {
    const shown = 'as_of' in given ? (report.past ?? report) : report
    const tables = shown.tablesOf?.({ ...defaults, ...given }) ?? shown.tables
    const reads = [...pathsOf(tables), ...(tables.includes('history') ? (shown.history ?? []) : [])]
    return ['', 'csv'].map((format): Operation => {
      const path = `/v1/reports/${report.name}?${new URLSearchParams({ ...given, ...(format === '' ? {} : { format }) })}`
      return { kind: 'report', path, reads, ...named(report) }
    })
  })
}

const named = ({ name }: Report): Pick<Operation, 'report'> =>
  listedResources.some(({ path }) => path === name) ? {} : { report: name }

const searchReads = (relations: readonly SearchRelation[]): string[] =>
  relations.flatMap(({ resource, related = [] }) => [resource, ...searchReads(related)])

const searchOperations: readonly Operation[] = [[], ...searchedResources.map((resource) => [resource])].map((named) => {
  const searched = named.length === 0 ? searchedResources : named
  const reads = searched.flatMap(({ path, search }) => [path, ...searchReads(search.related)])
  return { kind: 'search', path: `/v1/search?q=an&resource=${named.map(({ path }) => path)}`, reads }
})

const feedOperations: readonly Operation[] = [
  {
    kind: 'filtered',
    path: '/v1/changes?since=2020-01-01&limit=1000',
    reads: [],
    filtered: {
      by: resources.map(({ path }) => path),
      pathFor: (paths) => `/v1/changes?since=2020-01-01&limit=1000&resource=${paths}`,
    },
  },
  ...listedResources.map(
    (resource): Operation => ({
      kind: 'changes',
      path: `/v1/changes?since=2020-01-01&resource=${resource.path}`,
      reads: isHistory(resource) ? ['history', ...tracked] : [resource.path],
    }),
  ),
]

const careerOperations: readonly Operation[] = [
  { kind: 'career visibility', path: '/v1/career-visibility', reads: pathsOf(overviewTables) },
  { kind: 'career visibility', path: '/v1/career-visibility/1', reads: pathsOf(careerTables) },
]

const createOperations: readonly Operation[] = resources
  .filter(({ creatable }) => creatable)
  .map(({ path }) => ({ kind: 'create', path: `/v1/${path}`, reads: [], creates: path }))

const toolOperation = (name: string, args: object, rest: Omit<Operation, 'kind' | 'tool'>): Operation => ({
  kind: `tool ${name}`,
  tool: { name, message: callMessage(name, args) },
  ...rest,
})

const toolOperations: readonly Operation[] = [
  ...resources.flatMap((resource) => [
    toolOperation('list', { resource: resource.path, limit: 5 }, { reads: [resource.path] }),
    toolOperation('get', { resource: resource.path, id: 1 }, { reads: [resource.path] }),
    toolOperation('count', { resource: resource.path }, { reads: [resource.path] }),
    ...(isCountable(resource)
      ? [
          toolOperation(
            'count',
            { resource: resource.path, by: [exampleGrouping(resource)] },
            { reads: [resource.path] },
          ),
        ]
      : []),
    ...(resource.creatable
      ? [toolOperation('create', { resource: resource.path, record: {} }, { reads: [], creates: resource.path })]
      : []),
  ]),
  ...reports
    // These two are tools or requests of their own kind.
    .filter(({ name }) => name !== 'data-health' && name !== 'org-chart')
    .map((report) => toolOperation('report', { name: report.name }, { ...readsByDefault(report), ...named(report) })),
  toolOperation('org_chart', {}, { ...readsByDefault(reportAt('org-chart')), report: 'org-chart' }),
]

function reportAt(name: string): Report {
  return reports.find((report) => report.name === name) as Report
}

function readsByDefault(report: Report): Pick<Operation, 'reads'> {
  const [operation] = reportOperations(report)
  return { reads: operation?.reads ?? [] }
}

export const accessOperations: readonly Operation[] = [
  ...listedResources.flatMap(listOperations),
  ...resources.flatMap(relatedOperations),
  ...resources.flatMap(computedOperations),
  ...historyOperations,
  ...reports.flatMap(reportOperations),
  ...searchOperations,
  ...feedOperations,
  ...careerOperations,
  ...createOperations,
  ...toolOperations,
]
