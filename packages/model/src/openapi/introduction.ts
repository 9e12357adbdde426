import type { ReadMode } from '../api-constants.ts'
import { basePath, maxBodyBytes, maxListedIds, maxSearchLength, pageLimits, product } from '../api-constants.ts'
import { errorCodes } from '../error-codes.ts'
import type { Resource } from '../schema/resource.ts'
import type { Examples } from './examples.ts'

/** The base URL in examples. It is a shell variable, because a service behind a proxy does not know its public URL. */
const baseUrl = '$BASE'

export const introduction = (resources: readonly Resource[], examples: Examples, reads: ReadMode): string =>
  [gettingStarted(resources, reads), paging, searching, errors(examples), writing].join('\n\n')

const jsonBlock = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

const tokenRules: Readonly<Record<ReadMode, string>> = {
  public: 'Reads need no token; creates need the write token.',
  redacted:
    'Reads need no token, but personal fields are `null`, or `withheld` if they are required, unless the request has the read or the write token. Creates need the write token.',
  token: 'Reads need the read or the write token, in `Authorization: Bearer <token>`; creates need the write token.',
}

const sessionNote =
  'A token may be limited to some resources: `GET /v1/session` returns what the token of the request may read and create.'

const gettingStarted = (resources: readonly Resource[], reads: ReadMode): string => `# Getting started

${product} serves the people, recruiting and enterprise records of a company as JSON. ${tokenRules[reads]} ${sessionNote}

The examples use \`BASE\`, the base URL of this service. If you read this at \`https://hr.example.com${basePath}/docs\`, it is \`https://hr.example.com${basePath}\`.

\`\`\`sh
export BASE=https://hr.example.com${basePath}

# Index and health
curl "${baseUrl}/"
curl "${baseUrl}/v1/health"

# The first two employees, then one of them
curl "${baseUrl}/v1/employees?limit=2"
curl "${baseUrl}/v1/employees/1"
\`\`\`

All resources work the same way: \`/v1/<resource>\` is a list and \`/v1/<resource>/{item_id}\` is one record. ${resources.filter(({ creatable }) => creatable).length} of the ${resources.length} resources also accept \`POST\`.

These rules apply everywhere:

- A field without a value is \`null\`. Fields are omitted only if you select others with \`fields\`.
- Dates have the format \`2026-03-02\`, timestamps \`2026-03-02T09:30:00Z\`, always in UTC.
- \`status\` and \`stage\` fields are free text. This document lists common values; others can occur.
- Fields may be added to responses. Write clients that ignore unknown fields.
- \`HEAD\` works wherever \`GET\` does. A trailing slash in a path is ignored.
- Long responses are compressed if you send \`Accept-Encoding: br\` or \`gzip\`. Store the \`ETag\` of a response and send it in \`If-None-Match\`: if nothing has changed, you receive 304 without a body.
- CORS: web pages from any origin may read, without credentials. Pages from origins that the deployment allows may also create records.
- Every response has an \`X-Request-Id\`. Quote it in support requests.`

const paging = `# Paging through everything

A list returns \`data\`, the records of one page, and \`meta\`, its position in the whole list: \`total\` records match, \`offset\` of them were skipped, and at most \`limit\` are returned (default ${pageLimits.defaultLimit}, maximum ${pageLimits.maxLimit}).

Records are sorted by id unless \`sort\` requests another order. \`total\` is from the same snapshot as the page. New records have the highest ids, so a client that pages forward by id neither skips nor repeats a record:

\`\`\`js
const base = process.env.BASE
const employees = []
for (let total = 1; employees.length < total; ) {
  const response = await fetch(\`\${base}/v1/employees?limit=${pageLimits.maxLimit}&offset=\${employees.length}\`)
  const { data, meta } = await response.json()
  employees.push(...data)
  total = data.length === 0 ? 0 : meta.total
}
console.log(employees.length)
\`\`\`

An offset past the end is not an error: the page is empty and \`total\` is still correct.

Instead of computing offsets you can follow the \`Link\` header, which has the paths of the \`first\`, \`prev\`, \`next\` and \`last\` page. The last page has no \`next\`.

\`\`\`sh
curl "${baseUrl}/v1/departments?limit=${pageLimits.maxLimit}&offset=1000000"
\`\`\`

To get all matching records at once, request a file: CSV, or one JSON object per line. All its records are from one snapshot. To get only the numbers of records, request counts.

\`\`\`sh
curl "${baseUrl}/v1/employees?format=csv" -o employees.csv
curl "${baseUrl}/v1/jobs?status=open" -H 'Accept: application/x-ndjson'
curl "${baseUrl}/v1/counts/applications?by=stage,month(applied_on)"
\`\`\``

const searching = `# Searching and filtering

\`q\` searches the text fields of a record, ignoring case and accents. Every word must occur in at least one of them, alone or as part of a longer word. \`%\`, \`_\` and \`\\\` have no special meaning. The maximum length is ${maxSearchLength} characters.

\`\`\`sh
curl "${baseUrl}/v1/jobs?q=engineer"
curl "${baseUrl}/v1/candidates?q=jose%20garcia"
\`\`\`

Filters compare the whole value of a field. Each list documents its filters. A text filter ignores case and accepts several values, separated by commas. A filter by a reference accepts up to ${maxListedIds} ids. \`<relation>.<field>\` filters by a field of a related record: \`leave?employee.dept_id=4\`.

\`\`\`sh
curl "${baseUrl}/v1/leave?status=pending,approved"
curl "${baseUrl}/v1/employees?dept_id=1&status=active&q=manager"
curl "${baseUrl}/v1/leave?employee.dept_id=1,2&status=approved"
\`\`\`

A record must match all conditions. Blank filters and unknown parameters are ignored. If a parameter is repeated, its last value is used. During development, send \`Prefer: handling=strict\`: an unknown parameter, or a field without a filter, then returns 422, with a suggestion for misspelt names.

\`fields\` selects the fields of each record, and \`expand\` includes related records. Both work on lists and on single records. This request returns applications with their candidate and job:

\`\`\`sh
curl "${baseUrl}/v1/applications?fields=stage,status&expand=candidate,job"
\`\`\``

const errors = ({ operations, responses }: Examples): string => {
  const queryExample = responses.InvalidQuery?.invalid
  const [bodyExample] = Object.values(operations).flatMap(({ answers }) => answers[422] ?? [])
  return `# Errors

There are two error formats.

**Invalid parameters of a read** return 422 with \`detail\`, a list of errors, and nothing else:

\`\`\`sh
# returns 422
curl "${baseUrl}/v1/employees?limit=0&offset=abc"
\`\`\`

${queryExample === undefined ? '' : jsonBlock(queryExample.value)}

**Every other error** is an envelope. \`error.code\` is for programs and \`error.message\` for people. \`error.details.request_id\` identifies the request in the log:

\`\`\`sh
# returns 404
curl "${baseUrl}/v1/employees/0"
\`\`\`

A rejected create returns the envelope with status 422 and the errors in \`error.details.errors\`:

${bodyExample === undefined ? '' : jsonBlock(bodyExample.value)}

Each error has the same format in both: \`type\` is for programs, \`loc\` is the location, \`msg\` is for people; \`input\` and \`ctx\` are optional. One function handles both:

\`\`\`js
const errorsOf = (body) => body.detail ?? body.error?.details?.errors ?? []
\`\`\`

| Code | Status | Meaning |
| --- | --- | --- |
${codeRows()}

Handle errors by status first, then by code. If you do not know a code, use the status. ${undeclaredCodesText()} can occur on any URL and are not listed in the operations: they report requests that are malformed, too slow, too large or use an unsupported method. Retry a 503 that has \`Retry-After\`.`
}

const codeRows = (): string =>
  Object.entries(errorCodes)
    .map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`)
    .join('\n')

/**
 * Lists error codes that no operation declares, because a request with such an error is rejected before it reaches an
 * operation.
 */
const undeclaredCodesText = (): string =>
  (['bad_request', 'method_not_allowed', 'request_timeout', 'headers_too_large'] as const)
    .map((code) => `\`${code}\``)
    .join(', ')

const writing = `# Writing safely

Creates need the write token of the deployment. If none is configured, the health check returns \`"writes_enabled": false\` and every create returns 503 \`writes_disabled\`. A wrong token returns 401, and a token without the right to this resource 403 \`forbidden\`. All three are checked before the body is read.

\`\`\`sh
# returns 201
curl "${baseUrl}/v1/leave" \\
  -H "Authorization: Bearer $MUSTER_API_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"employee_id": 1, "leave_type": "annual", "from_date": "2027-02-01", "to_date": "2027-02-05", "days": 5}'
\`\`\`

- The response is the stored record, and \`Location\` is its path.
- A body is accepted or rejected as a whole. A rejection lists every error.
- Types are strict: \`"1"\` is not an integer, but \`1.0\` is. Names must match exactly; undeclared properties are rejected.
- Strings are stored unchanged, including white space. U+0000 and unpaired surrogates are rejected.
- An omitted field gets its default. \`null\` also means the default if the field cannot be null. Otherwise null is stored.
- The maximum size of a body is ${maxBodyBytes} bytes.

If the connection breaks before the response arrives, or the response is 503, the record may or may not have been stored. Send a unique \`Idempotency-Key\` with the create and repeat the request with the same key until it succeeds: the record is stored only once, and the response contains it.

\`\`\`sh
# returns 201
curl "${baseUrl}/v1/leave" \\
  -H "Authorization: Bearer $MUSTER_API_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: 8e03978e-40d5-43dd-bc93-6894a57f9324' \\
  -d '{"employee_id": 1, "leave_type": "annual", "from_date": "2027-03-01", "to_date": "2027-03-05", "days": 5}'
\`\`\``
