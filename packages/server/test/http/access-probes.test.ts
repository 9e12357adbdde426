/**
 * Sends every kind of request with tokens of many scopes, in every reading mode, and compares each response with that of a
 * service without a cache: allowed, redacted or refused, as the declarations say. The requests of one URL follow each
 * other in random order, so a response from the cache of another scope would be found.
 */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { ReadMode } from '@muster/model'
import { listedResources, readModes, reports, resources } from '@muster/model'
import type { Operation } from '../../../../tests/support/access-operations.ts'
import { accessOperations } from '../../../../tests/support/access-operations.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import type { HttpResponse } from '../../../../tests/support/http.ts'
import { sendUntilServed } from '../../../../tests/support/http.ts'
import { messageIn } from '../../../../tests/support/mcp.ts'
import { probeCount } from '../../../../tests/support/probes.ts'
import { pick, pickSome, randomNumbers } from '../../../../tests/support/random.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import type { NamedToken } from '../../src/http/access/callers.ts'

const random = randomNumbers(20_261_119)
const requestsPerOperation = 30
const minRequests = probeCount(10_000)
const workers = 4

const readToken = 'a-read-token-of-more-than-32-characters'
const tokenOf = ({ name }: Pick<NamedToken, 'name'>): string => `token-of-${name}-with-more-than-32-characters`

interface Scope {
  readonly title: string
  /** Sent with the requests. */
  readonly token: string | undefined
  /** Undefined if the token is not valid. */
  readonly rights: Pick<NamedToken, 'read' | 'personal'> | undefined
  /** Undefined if creates with this token get 401. */
  readonly create: readonly string[] | undefined
}

const paths = listedResources.map(({ path }) => path)
const reportNames = reports.map(({ name }) => name).filter((name) => !paths.includes(name))
const creatable = resources.filter((resource) => resource.creatable).map(({ path }) => path)

const named = (name: string, rights: Partial<NamedToken>): NamedToken => {
  const entry = { name, read: [], personal: false, create: [], expires: undefined, ...rights }
  return { ...entry, sha256: hash('sha256', tokenOf(entry)) }
}

const expired = named('expired', { read: 'all', personal: true, create: creatable, expires: '2020-01-01' })
const namedTokens: readonly NamedToken[] = [
  named('all', { read: 'all', personal: true, create: ['leave'], expires: '2099-12-31' }),
  named('all-redacted', { read: 'all' }),
  named('creates', { create: ['leave', 'organizations'] }),
  named('figures', { read: reportNames }),
  named('personal-figures', { read: reportNames, personal: true }),
  ...paths.map((path) => named(`only-${path}`, { read: [path], personal: true })),
  ...Array.from({ length: 16 }, (_, index) =>
    named(`random-${index}`, {
      read: [
        ...pickSome(random, paths, 1 + random(paths.length)),
        ...(random(2) === 0 ? ['history'] : []),
        ...pickSome(random, reportNames, random(3)),
      ],
      personal: random(3) > 0,
      create: pickSome(random, creatable, random(3)),
    }),
  ),
]

const scopes: readonly Scope[] = [
  { title: 'no token', token: undefined, rights: undefined, create: undefined },
  { title: 'a wrong token', token: 'wrong', rights: undefined, create: undefined },
  { title: 'an expired token', token: tokenOf(expired), rights: undefined, create: undefined },
  { title: 'the write token', token, rights: { read: 'all', personal: true }, create: creatable },
  { title: 'the read token', token: readToken, rights: { read: 'all', personal: true }, create: undefined },
  ...namedTokens.map((entry) => ({ title: entry.name, token: tokenOf(entry), rights: entry, create: entry.create })),
]

type Outcome = 'full' | 'redacted' | 'unauthorized' | 'forbidden' | 'invalid body' | 'no tool'

interface Expected {
  readonly outcome: Outcome
  /** What the response shows instead of all resources. */
  readonly filteredTo?: readonly string[]
}

const covers = (read: NamedToken['read'], needed: readonly string[]): boolean =>
  read === 'all' || needed.every((path) => read.includes(path))

const expectedOf = (mode: ReadMode, scope: Scope, operation: Operation): Expected =>
  operation.creates === undefined ? expectedRead(mode, scope, operation) : expectedCreate(mode, scope, operation)

const expectedCreate = (mode: ReadMode, { rights, create }: Scope, { creates, tool }: Operation): Expected => {
  if (tool !== undefined && mode === 'token' && rights === undefined) return { outcome: 'unauthorized' }
  if (tool !== undefined && (create ?? []).length === 0) return { outcome: 'no tool' }
  if (create === undefined) return { outcome: 'unauthorized' }
  return { outcome: create.includes(String(creates)) ? 'invalid body' : 'forbidden' }
}

const expectedRead = (mode: ReadMode, { rights }: Scope, { reads, report, filtered }: Operation): Expected => {
  if (mode === 'public') return { outcome: 'full' }
  const isNamed = report !== undefined && rights !== undefined && rights.read !== 'all' && rights.read.includes(report)
  const hasRight = (needed: readonly string[]) => rights !== undefined && (isNamed || covers(rights.read, needed))
  const isComplete = hasRight([...reads, ...(filtered?.by ?? [])])
  if (mode === 'redacted') return { outcome: rights?.personal && isComplete ? 'full' : 'redacted' }
  if (rights === undefined) return { outcome: 'unauthorized' }
  const outcome = rights.personal && rights.read.length > 0 ? 'full' : 'redacted'
  if (isComplete) return { outcome }
  if (!hasRight(reads) || filtered === undefined) return { outcome: 'forbidden' }
  const filteredTo = filtered.by.filter((path) => covers(rights.read, [path]))
  // Without any resource the feed is empty, and the list of the history is refused.
  return filteredTo.length === 0 && reads.length > 0 ? { outcome: 'forbidden' } : { outcome, filteredTo }
}

/** Some operations of every kind, and all of them in the long suite. */
const chosenOperations = (): readonly Operation[] => {
  const kinds = [...Map.groupBy(accessOperations, ({ kind }) => kind).values()]
  return kinds.flatMap((operations) => pickSome(random, operations, Math.max(probeCount(operations.length, 12), 2)))
}

describe('tokens', () => {
  let database: TestDatabase
  let services: Readonly<Record<ReadMode, RunningService>>
  /** Without a cache, and without any token but the write token. */
  let references: Readonly<Record<'full' | 'redacted', RunningService>>
  before(async () => {
    database = await createSeededDatabase()
    const shared = { careerSites: true, mcp: { writes: true }, poolSize: 8 }
    const start = (reads: ReadMode) =>
      startService(database.url, { ...shared, reads, readTokens: [readToken], namedTokens: [...namedTokens, expired] })
    services = { public: await start('public'), redacted: await start('redacted'), token: await start('token') }
    references = {
      full: await startService(database.url, { ...shared, cacheBytes: 0 }),
      redacted: await startService(database.url, { ...shared, cacheBytes: 0, reads: 'redacted' }),
    }
  })
  after(async () => {
    for (const service of [...Object.values(services), ...Object.values(references)]) await service.stop()
    await database.drop()
  })

  const send = (
    { baseUrl }: RunningService,
    { path, tool, creates }: Operation,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpResponse> => {
    const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }
    if (tool !== undefined)
      return sendUntilServed(baseUrl.replace(/\/api$/, '/mcp'), {
        method: 'POST',
        headers: json,
        body: JSON.stringify(tool.message),
      })
    return sendUntilServed(
      `${baseUrl}${path}`,
      creates === undefined ? { headers } : { method: 'POST', headers: json, body: '{}' },
    )
  }

  const known = new Map<string, Promise<string>>()
  const referenceOf = (visibility: 'full' | 'redacted', operation: Operation, filteredTo?: readonly string[]) => {
    const path = filteredTo === undefined ? operation.path : operation.filtered?.pathFor(filteredTo)
    const key = `${visibility} ${path ?? JSON.stringify(operation.tool)}`
    const existing = known.get(key)
    if (existing !== undefined) return existing
    const observed = send(references[visibility], path === undefined ? operation : { ...operation, path }).then(observe)
    known.set(key, observed)
    return observed
  }

  /** The ETags of complete responses, which callers without the right send too. */
  const etags = new Map<string, string>()

  const problemWith = async (mode: ReadMode, scope: Scope, operation: Operation): Promise<string | undefined> => {
    const { outcome, filteredTo } = expectedOf(mode, scope, operation)
    const etagKey = `${mode} ${operation.path}`
    const etag = random(3) === 0 ? etags.get(etagKey) : undefined
    const response = await send(services[mode], operation, {
      ...(scope.token === undefined ? {} : { authorization: `Bearer ${scope.token}` }),
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
    })
    const { status, text, headers } = response
    if (scope.token === token && headers.get('etag') !== null) etags.set(etagKey, String(headers.get('etag')))
    const problem = (expected: string) => `${expected}, but got ${status} ${text.slice(0, 300)}`
    switch (outcome) {
      case 'unauthorized':
        return status === 401 ? undefined : problem('expected 401')
      case 'forbidden':
        return isForbidden(response, operation) ? undefined : problem('expected 403')
      case 'invalid body':
        return text.includes('validation_error') ? undefined : problem('expected a validation error')
      case 'no tool':
        return text.includes('validation_error') || status !== 200 ? problem('expected no tool') : undefined
    }
    if (status === 304)
      return outcome === 'full' && etag !== undefined && filteredTo === undefined
        ? undefined
        : problem('expected no 304')
    if (filteredTo?.length === 0) return text.startsWith('{"data":[]') ? undefined : problem('expected no changes')
    const expected = await referenceOf(outcome, operation, filteredTo)
    return observe(response) === expected ? undefined : problem(`expected ${expected.slice(0, 300)}`)
  }

  it(`see what their rights allow and nothing else, in at least ${minRequests} requests`, async (context) => {
    const operations = chosenOperations()
    const outcomes: Record<string, number> = {}
    const problems: string[] = []
    const remaining = operations.values()
    const worker = async (): Promise<void> => {
      for (const operation of remaining) {
        const warmUp = readModes.flatMap((mode) =>
          [mode, mode].map((each) => ({ mode: each, scope: scopes[3] as Scope })),
        )
        const others = Array.from({ length: requestsPerOperation }, (_, index) => ({
          mode: readModes[index % 3] as ReadMode,
          scope: pick(random, scopes),
        }))
        for (const { mode, scope } of [...warmUp, ...others]) {
          const { outcome, filteredTo } = expectedOf(mode, scope, operation)
          const label = `${mode}: ${filteredTo === undefined ? outcome : `${outcome}, filtered`}`
          outcomes[label] = (outcomes[label] ?? 0) + 1
          const problem = await problemWith(mode, scope, operation)
          if (problem !== undefined)
            problems.push(`${mode}, ${scope.title}, ${operation.path ?? JSON.stringify(operation.tool)}: ${problem}`)
        }
      }
    }
    await Promise.all(Array.from({ length: workers }, worker))
    context.diagnostic(`${operations.length} operations: ${JSON.stringify(outcomes)}`)
    assert.deepEqual(problems.slice(0, 10), [], `${problems.length} problems`)
    const total = Object.values(outcomes).reduce((sum, count) => sum + count, 0)
    assert.ok(total >= minRequests, `only ${total} requests`)
    for (const label of expectedLabels) assert.ok(Number(outcomes[label]) > 0, label)

    // Without these, a response of the wrong visibility would look right.
    const differing = await Promise.all(
      operations
        .filter(({ creates }) => creates === undefined)
        .map(async (operation) => {
          const [full, redacted] = await Promise.all([
            referenceOf('full', operation),
            referenceOf('redacted', operation),
          ])
          return full === redacted ? [] : [operation.kind]
        }),
    )
    const kinds = new Set(differing.flat())
    context.diagnostic(`${differing.flat().length} operations show personal fields: ${[...kinds].join(', ')}`)
    for (const kind of ['list', 'expand', 'search', 'personal filter']) assert.ok(kinds.has(kind), kind)
  })
})

const expectedLabels = [
  ...['public: full', 'redacted: full', 'redacted: redacted', 'token: full', 'token: redacted'],
  ...[
    'token: unauthorized',
    'token: forbidden',
    'token: full, filtered',
    'token: redacted, filtered',
    'token: invalid body',
  ],
]

/** What a client sees. Page links contain the parameters of the request, and cursors depend on the time. */
const observe = ({ status, text, headers }: HttpResponse): string =>
  [
    status,
    headers.get('x-total-count'),
    text.replaceAll(/"request_id":"[^"]+"/g, '').replaceAll(/"next":"[^"]+"|"behind_seconds":[\d.]+/g, ''),
  ].join(' ')

const isForbidden = (response: HttpResponse, { tool, creates, reads, filtered }: Operation): boolean => {
  if (tool !== undefined)
    return response.status === 200 && messageIn(response).result.content[0].text.includes('"forbidden"')
  if (response.status !== 403) return false
  const { code, details } = response.json.error
  if (code !== 'forbidden') return false
  if (creates !== undefined) return details.missing.create.join() === creates
  const { read } = details.missing
  return read.length > 0 && read.every((path: string) => [...reads, ...(filtered?.by ?? [])].includes(path))
}
