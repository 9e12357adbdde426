import type { ReadMode } from '../api-constants.ts'
import { fileTypes, maxListedIds } from '../api-constants.ts'
import { reports } from '../reports/registry.ts'
import type { NamedColumn, NamedParameter, Report } from '../reports/report.ts'
import { maxLinkedParameters, maxReportRows } from '../reports/report.ts'
import type { Operation, Parameter, PathItem, Schema } from './document.ts'
import { headerRef, queryParameter, schemaRef } from './document.ts'
import type { Examples } from './examples.ts'
import { jsonContent } from './examples.ts'
import {
  ifNoneMatchParameter,
  notModifiedResponse,
  preferParameter,
  readErrorResponses,
  readRefusedResponses,
  readSecurity,
} from './resource-operations.ts'
import { readHeaders, responseHeaders, sharedResponse } from './shared-responses.ts'
import { blankOr, dateTimeTextPattern, monthTextPattern } from './text-patterns.ts'

export const reportTag = {
  name: 'Reports',
  description: 'Figures over several resources. Each figure links to the list of the records behind it.',
}

/** The name in camel case, such as `leaveDays`. */
export const reportKey = ({ name }: Pick<Report, 'name'>): string =>
  name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

const pascalCase = (report: Report): string => {
  const key = reportKey(report)
  return `${key.charAt(0).toUpperCase()}${key.slice(1)}`
}

export const reportOperationId = (report: Report): string => `get${pascalCase(report)}Report`
const schemaName = (report: Report): string => `${pascalCase(report)}Report`

export const reportPaths = (examples: Examples, reads: ReadMode): Readonly<Record<string, PathItem>> => ({
  '/v1/reports': { get: listReports(examples, reads) },
  ...Object.fromEntries(
    reports.map((report) => [`/v1/reports/${report.name}`, { get: reportOperation(report, examples, reads) }]),
  ),
})

const listReports = ({ operations }: Examples, reads: ReadMode): Operation => ({
  operationId: 'listReports',
  tags: [reportTag.name],
  summary: 'List the reports',
  description: 'The name, definition, parameters and columns of each report. Works without a database.',
  security: readSecurity[reads],
  responses: {
    200: {
      description: 'The reports.',
      headers: responseHeaders({
        ETag: headerRef('EntityTag'),
        'Cache-Control': headerRef('Revalidate'),
        Vary: headerRef('VariesByEncoding'),
        'Content-Encoding': headerRef('ContentEncoding'),
      }),
      content: jsonContent(schemaRef('ReportList'), { reports: operations.listReports?.answers[200] }),
    },
    304: {
      description: 'Not modified: the ETag in `If-None-Match` is current, so no body is sent.',
      headers: responseHeaders({
        ETag: headerRef('EntityTag'),
        'Cache-Control': headerRef('Revalidate'),
        Vary: headerRef('VariesByEncoding'),
      }),
    },
    ...readRefusedResponses(reads),
    ...readErrorResponses(),
  },
})

const reportOperation = (report: Report, examples: Examples, reads: ReadMode): Operation => {
  const operationId = reportOperationId(report)
  return {
    operationId,
    tags: [reportTag.name],
    summary: report.title,
    description: [
      report.definition,
      ...(report.excluded === undefined ? [] : [`\`meta.excluded\` counts ${report.excluded}.`]),
      `At most ${maxReportRows} rows.`,
      ...redactionNotes(report, reads),
    ].join(' '),
    security: readSecurity[reads],
    parameters: [
      ...report.allParameters.map(reportParameter),
      formatParameter,
      ifNoneMatchParameter(),
      preferParameter(),
    ],
    responses: {
      200: {
        description: 'The rows of the report; an empty list if there are none.',
        headers: { ...readHeaders(), 'Content-Disposition': headerRef('ContentDisposition') },
        content: {
          ...jsonContent(schemaRef(schemaName(report)), { report: examples.operations[operationId]?.answers[200] }),
          [fileTypes.csv]: {
            schema: { type: 'string', description: 'A header line with the column names, then one line per row.' },
          },
        },
      },
      304: notModifiedResponse(),
      ...readRefusedResponses(reads),
      422: sharedResponse('InvalidQuery'),
      ...readErrorResponses(),
    },
  }
}

const redactionNotes = ({ allColumns, allParameters, redactedRows, past }: Report, reads: ReadMode): string[] => {
  if (reads !== 'redacted') return []
  const personalNames = allColumns.filter(({ personal }) => personal).map(({ name }) => name)
  return [
    ...(personalNames.length === 0 ? [] : [`Without a token, these columns are null: ${codeList(personalNames)}.`]),
    ...allColumns.flatMap(({ name, personalWhere }) =>
      personalWhere === undefined
        ? []
        : [
            `Without a token, \`${name}\` is null in rows whose \`${personalWhere.column}\` is ${codeList(personalWhere.values)}.`,
          ],
    ),
    ...(past === undefined ? [] : ['Without a token, an `as_of` before today is rejected.']),
    ...(redactedRows === undefined ? [] : [`Without a token, ${redactedRows}.`]),
    ...allParameters.flatMap(({ name, personal }) => (personal ? [`\`${name}\` needs a token.`] : [])),
    ...allParameters.flatMap(({ name, personalValues }) =>
      personalValues === undefined ? [] : [`These values of \`${name}\` need a token: ${codeList(personalValues)}.`],
    ),
  ]
}

const codeList = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

const formatParameter = queryParameter(
  'format',
  'Format of the response: JSON, or CSV without links. Without this parameter `Accept` decides. A blank value is ignored.',
  { type: 'string', enum: ['json', 'csv'] },
)

/** Returns the names of the query parameters of a report. */
export const reportParameterNames = ({ allParameters }: Report): readonly string[] => [
  ...allParameters.map(({ name }) => name),
  formatParameter.name,
]

const reportParameter = (declared: NamedParameter): Parameter => {
  const { name, kind, about, values, minimum, maximum } = declared
  const description = `${about}${typeof declared.default === 'string' ? ` \`${declared.default}\` by default.` : ''} A blank value is ignored.`
  switch (kind) {
    case 'date':
      return queryParameter(name, description, { type: 'string', pattern: blankOr(dateTimeTextPattern) })
    case 'month':
      return queryParameter(name, description, { type: 'string', pattern: blankOr(monthTextPattern) })
    case 'id':
      return queryParameter(name, description, { type: 'integer' })
    case 'ids':
      return {
        ...queryParameter(name, description, { type: 'array', items: { type: 'integer' }, maxItems: maxListedIds }),
        style: 'form',
        explode: false,
      }
    case 'texts':
      return queryParameter(
        name,
        `${about} Separate several values with commas; double a comma inside a value. A blank value is ignored.`,
        { type: 'string' },
      )
    case 'integer':
      return queryParameter(name, description, {
        type: 'integer',
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined ? {} : { maximum }),
      })
    case 'boolean':
      return queryParameter(name, description, { type: 'boolean' })
    case 'choice':
      return queryParameter(name, description, { type: 'string', enum: values ?? [] })
  }
}

const columnSchema = ({ type, about }: NamedColumn): Schema => {
  switch (type) {
    case 'integer':
      return { type: ['integer', 'null'], description: about }
    case 'number':
      return { type: ['number', 'null'], description: about }
    case 'date':
      return { type: ['string', 'null'], description: `${about} Format \`YYYY-MM-DD\`.` }
    case 'month':
      return { type: ['string', 'null'], description: `${about} Format \`YYYY-MM\`.` }
    case 'text':
      return { type: ['string', 'null'], description: about }
  }
}

const reportSchema = (report: Report): Schema => ({
  type: 'object',
  description: report.definition,
  required: ['data', 'meta'],
  properties: {
    data: {
      type: 'array',
      description: 'The rows.',
      items: {
        type: 'object',
        description: 'One row.',
        required: [...report.allColumns.map(({ name }) => name), 'links'],
        properties: {
          ...Object.fromEntries(report.allColumns.map((column) => [column.name, columnSchema(column)])),
          links: {
            type: 'object',
            description: `The path of the list behind each figure, by column. Empty if the parameters of the request are longer than ${maxLinkedParameters} characters.`,
            additionalProperties: { type: 'string' },
          },
        },
      },
    },
    meta: schemaRef('ReportMeta'),
  },
})

const reportMeta: Schema = {
  type: 'object',
  description: 'What a report shows.',
  required: ['definition', 'kind', 'as_of', 'excluded'],
  properties: {
    definition: { type: 'string', description: 'What is counted, in words.' },
    kind: {
      type: 'string',
      description:
        '`snapshot`: the state on a day. `cohort`: what became of the records that began in a period. `activity`: what happened in a period.',
      examples: ['snapshot', 'cohort', 'activity'],
    },
    as_of: { type: 'string', description: 'The day for which the report was made.' },
    excluded: { type: 'integer', minimum: 0, description: 'Number of records that the report leaves out.' },
    history_from: {
      type: 'string',
      description:
        'Only in responses that depend on the history: the day from which on all changes are recorded. Changes before it are known only in part.',
    },
  },
}

const described = (about: string): Schema => ({ type: 'string', description: about })

const reportList: Schema = {
  type: 'object',
  description: 'All reports.',
  required: ['data', 'meta'],
  properties: {
    data: {
      type: 'array',
      description: 'The reports.',
      items: {
        type: 'object',
        description: 'One report.',
        required: ['name', 'title', 'kind', 'definition', 'url', 'parameters', 'columns'],
        properties: {
          name: described('Name of the report.'),
          title: described('Title of the report.'),
          kind: described('`snapshot`, `cohort` or `activity`.'),
          definition: described('What is counted, in words.'),
          excluded: described('What `meta.excluded` counts. Absent if the report leaves nothing out.'),
          url: described('Path of the report.'),
          parameters: {
            type: 'array',
            description: 'The query parameters.',
            items: {
              type: 'object',
              description: 'One parameter.',
              required: ['name', 'type', 'about'],
              properties: {
                name: described('Name of the parameter.'),
                type: described(
                  '`date`, `month`, `id`, `ids` (several ids), `texts` (several strings), `integer`, `boolean` or `choice`.',
                ),
                default: described('The value if the parameter is not sent. Absent if it depends on other parameters.'),
                minimum: { type: 'integer', description: 'Smallest value.' },
                maximum: { type: 'integer', description: 'Largest value.' },
                about: described('What the parameter does.'),
                values: { type: 'array', description: 'All values.', items: { type: 'string' } },
              },
            },
          },
          columns: {
            type: 'array',
            description: 'The columns of a row.',
            items: {
              type: 'object',
              description: 'One column.',
              required: ['name', 'type', 'about', 'personal'],
              properties: {
                name: described('Name of the column.'),
                personal: {
                  type: 'boolean',
                  description: 'Whether the column is null without a token, if reads are redacted.',
                },
                type: described('Type of the values.'),
                about: described('What the column contains.'),
              },
            },
          },
        },
      },
    },
    meta: {
      type: 'object',
      description: 'The number of reports.',
      required: ['total'],
      properties: { total: { type: 'integer', minimum: 0, description: 'Number of reports.' } },
    },
  },
}

export const reportSchemas: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(reports.map((report) => [schemaName(report), reportSchema(report)])),
  ReportList: reportList,
  ReportMeta: reportMeta,
}
