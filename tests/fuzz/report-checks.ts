/** Further requests that follow a report: the same as CSV, a conditional request, and the linked lists. */
import { isDeepStrictEqual } from 'node:util'
import type { Case, Deviation } from './case.ts'
import type { Operation } from './contract.ts'
import type { Attempt, Fuzzer } from './fuzzer.ts'
import type { HttpResponse } from './http-client.ts'
import type { HeaderLine } from './request.ts'
import { getRequest } from './request.ts'
import { apiPath, exportContentTypes } from './sources/source.ts'

interface ReportBody {
  readonly data: readonly (Readonly<Record<string, unknown>> & { readonly links: Readonly<Record<string, string>> })[]
}

/** Maximum number of links that are followed from one response, besides those that were followed before. */
const maxFollowedLinks = 12

export interface ReportChecks {
  /** Returns the deviations of the requests that follow a 200 response in JSON. */
  follow(attempt: Attempt, options?: { readonly allLinks?: boolean }): Promise<readonly Deviation[]>
  readonly followedLinks: ReadonlySet<string>
}

/** No records may be created at the same time, because the responses are compared with each other. */
export const openReportChecks = (fuzzer: Fuzzer, operation: Operation): ReportChecks => {
  const followedLinks = new Set<string>()
  return {
    followedLinks,
    async follow({ testCase, response }, { allLinks = false } = {}) {
      if (response?.status !== 200 || testCase.expect.contentType !== undefined) return []
      const body = JSON.parse(response.text) as ReportBody
      const links = unfollowedLinks(body, followedLinks, allLinks)
      for (const link of links) followedLinks.add(link)
      const deviations: Deviation[] = [
        ...(await csvDeviations(fuzzer, operation, testCase, body)),
        ...(await conditionalDeviations(fuzzer, operation, testCase, response)),
      ]
      for (const link of links) deviations.push(...(await linkDeviations(fuzzer, testCase, link)))
      return deviations
    },
  }
}

const followingCase = (
  { id }: Operation,
  { source, request }: Case,
  about: string,
  change: { readonly query?: string; readonly headers?: readonly HeaderLine[]; readonly expect: Case['expect'] },
): Case => {
  const separator = request.target.includes('?') ? '&' : '?'
  return {
    source,
    about,
    operation: id,
    request: getRequest(
      change.query === undefined ? request.target : `${request.target}${separator}${change.query}`,
      change.headers,
    ),
    expect: change.expect,
  }
}

/** CSV must have the same values, whether `format` or `Accept` asks for it. */
const csvDeviations = async (
  fuzzer: Fuzzer,
  operation: Operation,
  testCase: Case,
  { data }: ReportBody,
): Promise<Deviation[]> => {
  const expect = { status: [200], contentType: exportContentTypes.csv as string }
  const byFormat = await fuzzer.attempt(
    followingCase(operation, testCase, 'the same as CSV', { query: 'format=csv', expect }),
  )
  const byAccept = await fuzzer.attempt(
    followingCase(operation, testCase, 'CSV by Accept', {
      query: 'format=',
      headers: [['Accept', 'text/csv']],
      expect,
    }),
  )
  const deviations = [...byFormat.deviations, ...byAccept.deviations]
  if (byFormat.response === undefined || byAccept.response === undefined || deviations.length > 0) return deviations
  if (byFormat.response.text !== byAccept.response.text)
    deviations.push({ check: 'csv', message: 'format=csv and Accept: text/csv have different bodies' })
  const columns = columnNames(fuzzer, operation)
  const expected = data.map((row) => columns.map((name) => csvValue(row[name])))
  const [header, ...rows] = parseCsv(byFormat.response.text)
  if (!isDeepStrictEqual(header, columns))
    deviations.push({ check: 'csv', message: `the header is ${header?.join()}, not ${columns.join()}` })
  const differing = expected.findIndex((row, index) => !isDeepStrictEqual(row, rows[index]))
  if (differing >= 0 || rows.length !== expected.length)
    deviations.push({
      check: 'csv',
      message: `${rows.length} rows instead of ${expected.length}, row ${differing} is ${JSON.stringify(rows[differing])}, not ${JSON.stringify(expected[differing])}`,
    })
  return deviations
}

const columnNames = ({ contract }: Fuzzer, { responses }: Operation): string[] => {
  const schema = contract.resolve(responses.get(200)?.content?.['application/json']?.schema)
  const row = contract.resolve(contract.resolve(schema?.properties?.data)?.items)
  return Object.keys(row?.properties ?? {}).filter((name) => name !== 'links')
}

/** Null is an empty cell. An apostrophe precedes text that a spreadsheet could take for a formula. */
const csvValue = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string') return JSON.stringify(value)
  return value.replace(/([;\t\r\n])("*[=+\-@＝＋－＠])/g, "$1'$2").replace(/^[=+\-@\t\r\n＝＋－＠]/, "'$&")
}

/** Cells of each line. An empty cell is null if it has no quotes. */
export const parseCsv = (text: string): (string | null)[][] => {
  const rows: (string | null)[][] = []
  const cellPattern = /(?:"((?:""|[^"])*)"|([^",\r\n]*))(,|\r?\n)/y
  let row: (string | null)[] = []
  for (let match = cellPattern.exec(text); match !== null; match = cellPattern.exec(text)) {
    const [, quoted, plain = '', separator] = match
    row.push(quoted === undefined ? plain || null : quoted.replaceAll('""', '"'))
    if (separator === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

/** The ETag of the response must give 304, and another one must give the same body again. */
const conditionalDeviations = async (
  fuzzer: Fuzzer,
  operation: Operation,
  testCase: Case,
  { headers, text }: HttpResponse,
): Promise<Deviation[]> => {
  const etag = headers.get('etag') ?? ''
  const withEtag = (sentEtag: string, status: number) =>
    fuzzer.attempt(
      followingCase(operation, testCase, `If-None-Match, expecting ${status}`, {
        headers: [['If-None-Match', sentEtag]],
        expect: { status: [status] },
      }),
    )
  const unchanged = await withEtag(etag, 304)
  const repeated = await withEtag('"other"', 200)
  const isSame = repeated.response === undefined || repeated.response.text === text
  return [
    ...unchanged.deviations,
    ...repeated.deviations,
    ...(isSame ? [] : [{ check: 'etag', message: 'the same request has two different bodies with one ETag' }]),
  ]
}

/** All links that were not followed yet, or some of them, evenly spread over the rows. */
const unfollowedLinks = ({ data }: ReportBody, followed: ReadonlySet<string>, all: boolean): string[] => {
  const links = [...new Set(data.flatMap(({ links: row }) => Object.values(row)))].filter((link) => !followed.has(link))
  const step = all ? 1 : Math.max(1, Math.ceil(links.length / maxFollowedLinks))
  return links.filter((_, index) => index % step === 0)
}

/** A link must lead to a list, and all its parameters must be filters of that list. */
const linkDeviations = async (fuzzer: Fuzzer, { source }: Case, link: string): Promise<Deviation[]> => {
  const [path] = link.split('?', 1)
  const operation = fuzzer.contract.operations.find(
    (candidate) => candidate.kind === 'list' && apiPath(fuzzer, candidate.path) === path,
  )
  if (operation === undefined) return [{ check: 'link', message: `${link} is not the URL of a list` }]
  const { deviations } = await fuzzer.attempt({
    source,
    about: 'a link of a report',
    operation: operation.id,
    request: getRequest(`${link}${link.includes('?') ? '&' : '?'}limit=1`, [['Prefer', 'handling=strict']]),
    expect: { status: [200] },
  })
  return deviations.map(({ message }) => ({ check: 'link', message: `${link}: ${message}` }))
}
