/** Generates the types of the reports in packages/client/src/generated/. */
import type { NamedParameter, Report } from '@muster/model'
import {
  camelCase,
  docComment,
  fileText,
  interfaceType,
  optionalMember,
  pascalCase,
  propertyName,
  unionType,
} from './typescript-text.ts'

const typeNames = ({ name }: Report) => ({
  query: `${pascalCase(name)}ReportQuery`,
  row: `${pascalCase(name)}ReportRow`,
})

export const reportText = (report: Report): string =>
  fileText(`packages/model/src/reports/${report.name}.ts`, [...choiceTypes(report), queryType(report), rowType(report)])

const choiceName = ({ name }: Report, parameter: NamedParameter): string =>
  `${pascalCase(name)}Report${pascalCase(parameter.name)}`

const choiceTypes = (report: Report): string[] =>
  report.allParameters.flatMap((parameter) =>
    parameter.values === undefined ? [] : [unionType(`export type ${choiceName(report, parameter)}`, parameter.values)],
  )

const queryType = (report: Report): string =>
  interfaceType(
    typeNames(report).query,
    report.allParameters.flatMap((parameter) => [
      docComment(parameter.about, '  '),
      optionalMember(parameter.name, parameterType(report, parameter)),
    ]),
  )

const parameterType = (report: Report, parameter: NamedParameter): string => {
  switch (parameter.kind) {
    case 'id':
    case 'integer':
      return 'number'
    case 'ids':
      return 'number | readonly number[]'
    case 'texts':
      return 'string | readonly string[]'
    case 'boolean':
      return 'boolean'
    case 'choice':
      return choiceName(report, parameter)
    default:
      return 'string'
  }
}

const rowType = (report: Report): string =>
  [
    docComment(`One row of the report \`${report.name}\`. ${report.definition}`),
    interfaceType(typeNames(report).row, [
      ...report.allColumns.flatMap(({ name, type, about }) => [
        docComment(about, '  '),
        `  ${propertyName(name)}: ${type === 'integer' || type === 'number' ? 'number' : 'string'} | null`,
      ]),
      '  /** The path, with `/api`, of the list behind each figure. */',
      '  links: {',
      ...report.allColumns.map(({ name }) => `    ${propertyName(name)}?: string`),
      '  }',
    ]),
  ].join('\n')

export const reportsText = (reports: readonly Report[]): string => {
  const byFile = reports.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return fileText('packages/model/src/reports/registry.ts', [
    byFile
      .map((report) => {
        const { query, row } = typeNames(report)
        return `import type { ${query}, ${row} } from './reports/${report.name}.ts'`
      })
      .join('\n'),
    byFile.map(({ name }) => `export type * from './reports/${name}.ts'`).join('\n'),
    [
      "/** Parameters of reports: `ReportQueries['leaveDays']`. */",
      interfaceType(
        'ReportQueries',
        reports.map((report) => `  readonly ${camelCase(report.name)}: ${typeNames(report).query}`),
      ),
    ].join('\n'),
    [
      "/** Rows of reports: `ReportRows['leaveDays']`. */",
      interfaceType(
        'ReportRows',
        reports.map((report) => `  readonly ${camelCase(report.name)}: ${typeNames(report).row}`),
      ),
    ].join('\n'),
  ])
}
