import type { Report } from '@muster/model'
import { basePath, errorAt, maxReportRows, reportParameterNames, reports } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import { ParameterProblem } from '../../errors.ts'
import { tablesOf } from '../../postgres/sql/statement.ts'
import { readReport, reportTables } from '../../queries/report.ts'
import { reportNeeds } from '../access/rights.ts'
import type { Dependencies } from '../dependencies.ts'
import { parseQuery } from '../request/query-string.ts'
import { readReportQuery, wantsCsv } from '../request/report-query.ts'
import { csvContentType } from '../response/export-response.ts'
import { reportCsv, reportJson } from '../response/report-response.ts'
import { fixedJsonHandler } from './fixed-json.ts'
import { authorizeRead, preferHandling, readAs, sendRead } from './read.ts'
import type { Handler } from './route.ts'
import { addRoute } from './route.ts'

const reportsPath = `${basePath}/v1/reports`

export const addReportRoutes = (app: FastifyInstance, dependencies: Dependencies): void => {
  addRoute(app, reportsPath, { GET: reportListHandler(dependencies) })
  for (const report of reports)
    addRoute(app, `${reportsPath}/${report.name}`, { GET: reportHandler(report, dependencies) })
}

const reportListHandler = ({ limits }: Dependencies): Handler => {
  const list = fixedJsonHandler(reportList)
  return {
    handle: async (request, reply) => {
      await authorizeRead(request, reply, limits)
      return list.handle(request, reply)
    },
  }
}

const reportList = () => ({
  data: reports.map(({ name, title, kind, definition, excluded, allParameters, allColumns }) => ({
    name,
    title,
    kind,
    definition,
    ...(excluded === undefined ? {} : { excluded }),
    url: `${reportsPath}/${name}`,
    parameters: allParameters.map((parameter) => ({
      name: parameter.name,
      type: parameter.kind,
      about: parameter.about,
      ...(typeof parameter.default === 'string' ? { default: parameter.default } : {}),
      ...(parameter.values === undefined ? {} : { values: parameter.values }),
      ...(parameter.minimum === undefined ? {} : { minimum: parameter.minimum }),
      ...(parameter.maximum === undefined ? {} : { maximum: parameter.maximum }),
    })),
    columns: allColumns.map(({ name: column, type, about, personal = false }) => ({
      name: column,
      type,
      about,
      personal,
    })),
  })),
  meta: { total: reports.length },
})

/** Authorize, parse, execute, render: the path of a request for a report. */
const reportHandler = (declared: Report, { reader, cache, limits, admission }: Dependencies): Handler => {
  const parameterNames = reportParameterNames(declared)
  return {
    handle: async (request, reply) => {
      const caller = await authorizeRead(request, reply, limits)
      const parameters = parseQuery(request.query as string)
      const applyHandling = preferHandling(request, reply, parameters, { parameterNames })
      const today = new Date().toISOString().slice(0, 10)
      const { report, given, values, source, visibility } = readAs(caller, { tables: [] }, (visible) => {
        const query = applyHandling(() =>
          readReportQuery(declared, parameters, { today, hidesPersonal: visible === 'redacted' }),
        )
        const source = reportTables(query.report, query.arguments)
        return { ...query, given: query.arguments, source, needs: reportNeeds(query.report, tablesOf(source)) }
      })
      const hidesPersonal = visibility === 'redacted'
      const isCsv = wantsCsv(parameters, request.headers.accept)
      // The day is part of the key, because without `as_of` in the URL it is the current one. So is the function, because a
      // day that was today when a response was stored may be past.
      const variant = `${report.sqlName} ${given.as_of} ${isCsv ? 'csv' : 'json'}`
      return sendRead(
        request,
        reply,
        { cache, source, visibility, variant, isExpensive: true },
        {
          execute: () =>
            readReport(reader.forClient(admission.clientOf(request.raw)), report, { source, values, hidesPersonal }),
          render: async (result) => {
            if (result === undefined) throw tooManyRows()
            const { version, rows } = result
            return isCsv
              ? {
                  version,
                  rows: rows.length,
                  pieces: await reportCsv(report, result),
                  file: { type: csvContentType, name: `${report.name}.csv` },
                }
              : { version, rows: rows.length, pieces: await reportJson(report, result, given) }
          },
        },
      )
    },
  }
}

/** Thrown after the query, because the number of rows is not known before. */
const tooManyRows = (): ParameterProblem =>
  new ParameterProblem([errorAt(['query'], { type: 'too_many_rows', ctx: { max_rows: maxReportRows } })])
