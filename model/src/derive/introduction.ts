/** In charge of the pages that open the description: how to start, page, search, read errors and write. */
import { errorCodes } from '../error-codes.ts'
import type { ReadMode } from '../interface.ts'
import { basePath, maxBodyBytes, maxSearchLength, page, product } from '../interface.ts'
import type { Resource } from '../resource.ts'
import type { Examples } from './examples.ts'

/** The address is the reader's: the service may be behind a proxy, and does not know under which name. */
const base = '$BASE'

export const introduction = (resources: readonly Resource[], examples: Examples, reads: ReadMode): string =>
  [gettingStarted(resources, reads), paging, searching, errors(examples), writing].join('\n\n')

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

const whoReads: Readonly<Record<ReadMode, string>> = {
  public: 'Reading is open to everyone; creating needs a token.',
  redacted:
    'Reading is open to everyone, but for personal fields: these are `null` unless the request carries the read or the write token. Creating needs the write token.',
  token:
    'Reading needs the read or the write token, in `Authorization: Bearer <token>`; creating needs the write token.',
}

const gettingStarted = (resources: readonly Resource[], reads: ReadMode): string => `# Getting started

${product} gives out the people, recruiting and enterprise records of a company as JSON. ${whoReads[reads]}

The examples use \`BASE\`, the address of this service. If you read this at \`https://hr.example.com${basePath}/docs\`, it is \`https://hr.example.com${basePath}\`.

\`\`\`sh
export BASE=https://hr.example.com${basePath}

# What is there, and is it well?
curl "${base}/"
curl "${base}/v1/health"

# The first two employees, then one of them
curl "${base}/v1/employees?limit=2"
curl "${base}/v1/employees/1"
\`\`\`

Every resource works the same way: \`/v1/<resource>\` is a list and \`/v1/<resource>/{item_id}\` is one record. ${resources.filter(({ creatable }) => creatable).length} of the ${resources.length} also take a \`POST\`.

A few things hold everywhere:

- A field that has no value is \`null\`; it is left out of an answer only where \`fields\` asks for others.
- A day is written \`2026-03-02\`, a moment \`2026-03-02T09:30:00Z\`, always in UTC.
- Fields called \`status\` or \`stage\` are open texts. The values shown here are the ones in use, and another may turn up any day.
- Answers may gain fields. Write clients that overlook what they do not know.
- \`HEAD\` works wherever \`GET\` does, and a slash at the end of a path changes nothing.
- Send \`Accept-Encoding: br\` or \`gzip\` and long answers come compressed. Keep their \`ETag\`, send it back in \`If-None-Match\`, and what has not changed is not sent again.
- Pages of any origin may read from a browser, without credentials; those whose origin the deployment names may create.
- Every answer names itself in \`X-Request-Id\`. Quote it when you ask for help.`

const paging = `# Paging through everything

A list answers \`data\`, the records of one page, and \`meta\`, its place in the whole: \`total\` records match, \`offset\` of them were skipped, and at most \`limit\` are shown (${page.defaultLimit} unless you ask, ${page.maxLimit} at most).

Records come in the order of their ids unless \`sort\` asks for another, and \`total\` is counted in the same snapshot as the page is read. In the order of ids new records come last, so a client that pages from the front neither skips nor repeats one:

\`\`\`js
const base = process.env.BASE
const everyone = []
for (let total = 1; everyone.length < total; ) {
  const answer = await fetch(\`\${base}/v1/employees?limit=${page.maxLimit}&offset=\${everyone.length}\`)
  const { data, meta } = await answer.json()
  everyone.push(...data)
  total = data.length === 0 ? 0 : meta.total
}
console.log(everyone.length)
\`\`\`

An offset past the end is no error: the page is empty and \`total\` still tells the truth.

Whoever would rather not count follows \`Link\`, which holds the paths of the \`first\`, \`prev\`, \`next\` and \`last\` page: a list ends where there is no \`next\`.

\`\`\`sh
curl "${base}/v1/departments?limit=${page.maxLimit}&offset=1000000"
\`\`\`

Whoever wants everything at once asks for a file: all records that match, of one moment, as CSV or as a JSON object per line. And whoever wants numbers alone asks for counts.

\`\`\`sh
curl "${base}/v1/employees?format=csv" -o employees.csv
curl "${base}/v1/jobs?status=open" -H 'Accept: application/x-ndjson'
curl "${base}/v1/counts/applications?by=stage,month(applied_on)"
\`\`\``

const searching = `# Searching and filtering

\`q\` looks for words in the texts of a record. Case and accents do not matter, the words may stand in different fields, and all of them must be found. A word matches inside a longer one. \`%\`, \`_\` and \`\\\` are ordinary characters. At most ${maxSearchLength} characters.

\`\`\`sh
curl "${base}/v1/jobs?q=engineer"
curl "${base}/v1/candidates?q=jose%20garcia"
\`\`\`

Filters compare a whole field. Each list names its own; a filter on text ignores case and takes several values, separated by commas.

\`\`\`sh
curl "${base}/v1/leave?status=pending,approved"
curl "${base}/v1/employees?dept_id=1&status=active&q=manager"
\`\`\`

Conditions add up: a record must meet all of them. A blank filter asks for nothing, the last of a repeated parameter counts, and a parameter a list does not know is ignored. While you write a client, send \`Prefer: handling=strict\` along: a parameter that is not known then answers 422, with the one you may have meant.

\`fields\` leaves of each record just what you name, and \`expand\` puts related records beside their ids, on lists and on one record. So an application comes with its candidate and its job in one request:

\`\`\`sh
curl "${base}/v1/applications?fields=stage,status&expand=candidate,job"
\`\`\``

const errors = ({ operations, responses }: Examples): string => {
  const query = responses.InvalidQuery?.invalid
  const [body] = Object.values(operations).flatMap(({ answers }) => answers[422] ?? [])
  return `# Errors

There are two shapes, and the operation decides which one you get.

**Parameters of a read** that are not acceptable answer 422 with \`detail\`, a list of faults, and nothing else:

\`\`\`sh
# answers 422
curl "${base}/v1/employees?limit=0&offset=abc"
\`\`\`

${query === undefined ? '' : json(query.value)}

**Every other error** is an envelope. \`error.code\` is for programs, \`error.message\` for people, \`error.details.request_id\` for whoever reads the log:

\`\`\`sh
# answers 404
curl "${base}/v1/employees/0"
\`\`\`

A refused create is such an envelope, with status 422 and the faults in \`error.details.errors\`:

${body === undefined ? '' : json(body.value)}

A fault is the same in both: \`type\` says what kind it is, \`loc\` where it is, \`msg\` says it in words; \`input\` and \`ctx\` are there where they help. So one function serves both:

\`\`\`js
const faultsOf = (body) => body.detail ?? body.error?.details?.errors ?? []
\`\`\`

| Code | Status | Meaning |
| --- | --- | --- |
${codeRows()}

Decide by the status, then by the code, and take an unknown code for what its status says. ${elsewhere()} belong to no operation: they answer requests that are broken, too slow, or sent to an address that is not there. A 503 with \`Retry-After\` is worth another try.`
}

const codeRows = (): string =>
  Object.entries(errorCodes)
    .map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`)
    .join('\n')

/** Codes that no operation declares: the message never reached one. */
const elsewhere = (): string =>
  (['bad_request', 'method_not_allowed', 'request_timeout', 'headers_too_large'] as const)
    .map((code) => `\`${code}\``)
    .join(', ')

const writing = `# Writing safely

Creates carry the write token of the deployment. Where none is configured, health says \`"writes_enabled": false\` and every create answers 503 \`writes_disabled\`; with a wrong token the answer is 401. Both are decided before the body is looked at.

\`\`\`sh
# answers 201
curl "${base}/v1/leave" \\
  -H "Authorization: Bearer $MUSTER_API_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"employee_id": 1, "leave_type": "annual", "from_date": "2027-02-01", "to_date": "2027-02-05", "days": 5}'
\`\`\`

- The answer is the record as it was stored, and \`Location\` is its path.
- A body is taken whole or refused whole, and a refusal lists every fault it has.
- Types are taken at their word: \`"1"\` is no integer, and \`1.0\` is one. Names must be exact; a property that is not declared is refused.
- Texts are kept as they were sent, blanks included. U+0000 and half of a surrogate pair are refused.
- A field that is left out takes its default. \`null\` does the same where the record cannot hold a null, and otherwise means none.
- A body has at most ${maxBodyBytes} bytes.

If a connection breaks before the answer arrives, or the answer is 503, the record may have been stored. Give the create a name of your own in \`Idempotency-Key\`, and send it again with the same name until it is answered: it is stored once, and the answer is that record.

\`\`\`sh
# answers 201
curl "${base}/v1/leave" \\
  -H "Authorization: Bearer $MUSTER_API_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: 8e03978e-40d5-43dd-bc93-6894a57f9324' \\
  -d '{"employee_id": 1, "leave_type": "annual", "from_date": "2027-03-01", "to_date": "2027-03-05", "days": 5}'
\`\`\``
