import type { ComputedFilter, NamedField, NamedParameter, Report, Resource } from '@muster/model'
import { groupingsOf, listedResources, relationFilters, reports, resourceAt } from '@muster/model'
import type { Api } from '../api.ts'
import { resourceSchema } from '../arguments.ts'
import type { Result, Values } from '../result.ts'
import { tool } from '../tool.ts'

interface DescribeArguments {
  readonly resource?: string
  readonly report?: string
}

export const describe = tool<DescribeArguments>({
  name: 'describe',
  description:
    'Without arguments: today’s date, resources and reports. With resource: fields, filters and groupings. With report: parameters and columns.',
  properties: { resource: resourceSchema, report: { enum: reports.map(({ name }) => name) } },
  async run({ resource, report }, api) {
    if (resource !== undefined) return describeResource(resourceAt(resource))
    if (report !== undefined) return describeReport(reports.find(({ name }) => name === report) as Report)
    return describeAll(api)
  },
})

const resultOf = (about: Values, rows: readonly Values[]): Result => ({
  about,
  rows: rows.map((values) => ({ values })),
  offset: 0,
  total: rows.length,
  hasPages: false,
  isDeclared: true,
})

const describeAll = async (api: Api): Promise<Result> => {
  const { reads } = await api.get('')
  return resultOf({ today: new Date().toISOString().slice(0, 10), reads: `${reads}: ${readsAbout[reads] ?? ''}` }, [
    ...listedResources.map(({ path, about }) => ({ resource: path, about })),
    ...reports.map(({ name, title }) => ({ report: name, about: title })),
  ])
}

const readsAbout: Readonly<Record<string, string>> = {
  public: 'everything is visible',
  redacted: 'personal fields are null or "withheld" without a token',
  token: 'nothing is visible without a token',
}

const describeResource = (resource: Resource): Result =>
  resultOf(
    {
      resource: resource.path,
      about: resource.about,
      filters: resource.listFilters.map(({ parameter }) => parameter),
      filters_of_related_records: relationFilters(resource).map(({ parameter }) => parameter),
      computed_filters: Object.fromEntries(resource.computedFilters.map(describeFilter)),
      related_records: Object.fromEntries(resource.relations.map((relation) => [relation.name, relation.resource])),
      groupings: groupingsOf(resource).map(({ name }) => name),
      sort: resource.sortableFields.map(({ name }) => name),
      values: 'Dates are YYYY-MM-DD. _from and _to include their bound. Text is compared ignoring case.',
    },
    resource.allFields.filter(({ kind }) => kind !== 'withheld').map(describeField),
  )

const describeFilter = ({ parameter, about, values }: ComputedFilter): [string, string] => [
  parameter,
  values === undefined ? about : `${about} One of ${values.join(', ')}.`,
]

const describeField = ({ name, kind, about, references, personal, values, create }: NamedField): Values => ({
  field: name,
  type: references === undefined ? kind : `id of ${references.resource}`,
  about,
  ...(personal ? { personal } : {}),
  ...(values === undefined ? {} : { usual_values: values.join(', ') }),
  ...(create === 'never' ? {} : { create }),
})

const describeReport = ({ name, title, definition, kind, allParameters, allColumns }: Report): Result =>
  resultOf(
    { report: name, about: `${title}. ${definition}`, kind, parameters: allParameters.map(describeParameter) },
    allColumns.map(({ name: column, type, about, personal }) => ({
      column,
      type,
      about,
      ...(personal ? { personal } : {}),
    })),
  )

const describeParameter = ({ name, kind, about, values, default: fallback }: NamedParameter): Values => ({
  name,
  type: kind,
  about,
  ...(values === undefined ? {} : { values: values.join(', ') }),
  ...(typeof fallback === 'string' ? { default: fallback } : {}),
})
