/**
 * Generates the files in packages/client/src/generated/ from the declarations of the resources and reports: the types of
 * each resource, and what the client has to know about them at run time.
 */
import type { ComputedFilter, ListFilter, NamedField, Report, Resource } from '@muster/model'
import {
  groupingsOf,
  isCountable,
  isIdList,
  jsonType,
  pageLimits,
  relationFilters,
  resourceAt,
  trackedFields,
} from '@muster/model'
import { reportsText, reportText } from './client-reports.ts'
import {
  arrayConstant,
  camelCase,
  docComment,
  fileText,
  interfaceType,
  optionalMember,
  pascalCase,
  propertyName,
  quoted,
  unionType,
} from './typescript-text.ts'

/** Relative to packages/model/contract/. */
const folder = '../../client/src/generated/'

/** Returns the content of every generated file of the client, by file name. */
export const clientFiles = (resources: readonly Resource[], reports: readonly Report[]): ReadonlyMap<string, string> =>
  new Map([
    [`${folder}tables.ts`, tablesText(resources, reports)],
    [`${folder}resources.ts`, resourcesText(resources)],
    [`${folder}reports.ts`, reportsText(reports)],
    ...reports.map((report): [string, string] => [`${folder}reports/${report.name}.ts`, reportText(report)]),
    ...resources.flatMap((resource): [string, string][] => [
      [`${folder}records/${resource.path}.ts`, recordText(resource)],
      [`${folder}resources/${resource.path}.ts`, resourceText(resource)],
    ]),
  ])

const declarationFile = ({ path }: Resource): string => `packages/model/src/resources/${path}.ts`

/** The types of records are named as in the OpenAPI document, all others after the operations. */
const typeNames = ({ schema, operationSingular: singular }: Resource) => ({
  record: schema,
  relation: `${singular}Relation`,
  relations: `${singular}Relations`,
  filters: `${singular}Filters`,
  query: `${singular}Query`,
  sortField: `${singular}SortField`,
  sortKey: `${singular}SortKey`,
  groupKey: `${singular}GroupKey`,
  create: `${singular}Create`,
  types: `${singular}Types`,
})

/** Records have files of their own, because two resources may refer to each other, and files may not. */
const recordText = (resource: Resource): string => fileText(declarationFile(resource), [recordType(resource)])

const resourceText = (resource: Resource): string =>
  fileText(declarationFile(resource), [
    recordImports(resource),
    relationTypes(resource),
    filterTypes(resource),
    queryType(resource),
    groupKeyType(resource),
    createType(resource),
    typesOfResource(resource),
  ])

const recordImports = (resource: Resource): string => {
  const related = resource.relations.map(({ resource: path }): [string, string] => [path, resourceAt(path).schema])
  return [...new Map([[resource.path, resource.schema], ...related])]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, schema]) => `import type { ${schema} } from '../records/${path}.ts'`)
    .join('\n')
}

const valueType = (field: NamedField): string => (jsonType(field) === 'string' ? 'string' : 'number')
const orNull = (type: string, required: boolean): string => (required ? type : `${type} | null`)

const recordType = ({ title, about, schema, allFields }: Resource): string =>
  [
    docComment(`One ${title}. ${about}`),
    interfaceType(
      schema,
      allFields.flatMap((field) => [
        docComment(field.about, '  '),
        `  ${field.name}: ${orNull(valueType(field), field.required || field.kind === 'id')}`,
      ]),
    ),
  ].join('\n')

const relationTypes = (resource: Resource): string => {
  const { relation, relations } = typeNames(resource)
  if (resource.relations.length === 0) return ''
  return [
    '/** The related records that `expand` can include. */',
    interfaceType(
      relations,
      resource.relations.flatMap(({ name, field, resource: path }) => [
        docComment(field.about, '  '),
        `  ${name}: ${orNull(resourceAt(path).schema, field.required)}`,
      ]),
    ),
    unionType(
      `export type ${relation}`,
      resource.relations.map(({ name }) => name),
    ),
  ].join('\n')
}

const choiceName = ({ operationSingular }: Resource, { parameter }: ComputedFilter): string =>
  operationSingular + pascalCase(parameter)

const filterTypes = (resource: Resource): string => {
  const choices = resource.computedFilters.flatMap((filter) =>
    filter.values === undefined ? [] : [unionType(`export type ${choiceName(resource, filter)}`, filter.values)],
  )
  return [
    ...choices.map((choice) => `${choice}\n`),
    '/** A record matches if all filters match. The bounds `_from` and `_to` are inclusive. */',
    interfaceType(typeNames(resource).filters, [
      ...resource.listFilters.flatMap((filter) => filterMember(filter, filter.test === 'equals')),
      ...relationFilters(resource).flatMap((filter) => filterMember(filter, false)),
      ...resource.computedFilters.flatMap((filter) => [
        docComment(filter.about, '  '),
        optionalMember(filter.parameter, computedType(resource, filter)),
      ]),
      '  /** Search terms that a record must contain; case and accents are ignored. */',
      optionalMember('q', 'string'),
    ]),
  ].join('\n')
}

const filterMember = (filter: ListFilter, isDocumented: boolean): string[] => [
  ...(isDocumented ? [docComment(filter.field.about, '  ')] : []),
  optionalMember(filter.parameter, filterType(filter)),
]

const filterType = ({ test, field }: ListFilter): string => {
  const type = valueType(field)
  switch (test) {
    case 'is_null':
      return 'boolean'
    case 'from':
    case 'to':
      return type
    default:
      return type === 'string' || isIdList(field) ? `${type} | readonly ${type}[]` : type
  }
}

const computedType = (resource: Resource, filter: ComputedFilter): string =>
  filter.kind === 'choice' ? choiceName(resource, filter) : filter.kind === 'id' ? 'number' : 'string'

const queryType = (resource: Resource): string => {
  const { filters, query, sortField, sortKey } = typeNames(resource)
  return [
    unionType(
      `type ${sortField}`,
      resource.sortableFields.map(({ name }) => name),
    ),
    `export type ${sortKey} = ${sortField} | \`-\${${sortField}}\``,
    '',
    interfaceType(`${query} extends ${filters}`, [
      '  /** `-` before a field reverses its order. Records with equal values are sorted by `id`. */',
      optionalMember('sort', `${sortKey} | readonly ${sortKey}[]`),
      `  /** Number of records in a page, from 1 to ${pageLimits.maxLimit}. The default is ${pageLimits.defaultLimit}. */`,
      optionalMember('limit', 'number'),
      optionalMember('offset', 'number'),
    ]),
  ].join('\n')
}

const groupKeyType = (resource: Resource): string =>
  isCountable(resource)
    ? unionType(
        `export type ${typeNames(resource).groupKey}`,
        groupingsOf(resource).map(({ name }) => name),
      )
    : ''

const createType = (resource: Resource): string =>
  resource.creatable
    ? [
        docComment(`The body that creates one ${resource.title}.`),
        interfaceType(
          typeNames(resource).create,
          resource.writableFields.flatMap((field) => [
            docComment(field.about, '  '),
            field.create === 'required'
              ? `  ${field.name}: ${valueType(field)}`
              : `  ${field.name}?: ${valueType(field)} | null`,
          ]),
        ),
      ].join('\n')
    : ''

const typesOfResource = (resource: Resource): string => {
  const { record, relation, relations, filters, query, groupKey, create, types } = typeNames(resource)
  const hasRelations = resource.relations.length > 0
  return [
    `/** All types of \`muster.${camelCase(resource.path)}\`. */`,
    interfaceType(types, [
      `  readonly record: ${record}`,
      `  readonly relation: ${hasRelations ? relation : 'never'}`,
      `  readonly relations: ${hasRelations ? relations : 'Record<never, never>'}`,
      `  readonly filters: ${filters}`,
      `  readonly query: ${query}`,
      `  readonly groupKey: ${isCountable(resource) ? groupKey : 'never'}`,
      `  readonly create: ${resource.creatable ? create : 'never'}`,
      `  readonly trackedField: ${
        trackedFields(resource)
          .map(({ name }) => `'${name}'`)
          .join(' | ') || 'never'
      }`,
    ]),
  ].join('\n')
}

const resourcesText = (resources: readonly Resource[]): string => {
  const byFile = resources.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return fileText('packages/model/src/registry.ts', [
    byFile
      .map((resource) => `import type { ${typeNames(resource).types} } from './resources/${resource.path}.ts'`)
      .join('\n'),
    ['records', 'resources']
      .flatMap((name) => byFile.map(({ path }) => `export type * from './${name}/${path}.ts'`))
      .join('\n'),
    [
      '/** The types of each resource, by its name in the client. */',
      interfaceType(
        'Resources',
        resources.map((resource) => `  readonly ${camelCase(resource.path)}: ${typeNames(resource).types}`),
      ),
    ].join('\n'),
  ])
}

const tablesText = (resources: readonly Resource[], reports: readonly Report[]): string => {
  const singleTexts = resources.flatMap(({ computedFilters }) =>
    computedFilters.filter(({ kind }) => kind === 'text').map(({ parameter }) => parameter),
  )
  return fileText('packages/model/src/registry.ts and packages/model/src/reports/registry.ts', [
    [
      '/** Whether each resource has the methods `count`, `create` and `history`; all resources have the others. */',
      'export const resources = {',
      ...resources.map(
        (resource) =>
          `  ${propertyName(resource.path)}: { count: ${isCountable(resource)}, create: ${resource.creatable}, history: ${trackedFields(resource).length > 0} },`,
      ),
      '} as const',
    ].join('\n'),
    [
      '/** The name of each report in URLs. */',
      'export const reports = {',
      ...reports.map(({ name }) => `  ${camelCase(name)}: ${quoted(name)},`),
      '} as const',
    ].join('\n'),
    [
      '/** Filters that take one text, in which commas are not doubled. */',
      arrayConstant('export const singleTextFilters: readonly string[]', [...new Set(singleTexts)]),
    ].join('\n'),
  ])
}
