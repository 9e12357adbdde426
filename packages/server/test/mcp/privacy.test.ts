/**
 * Agents see exactly what the API shows them. Without a token, the same calls before and after all personal values
 * change have the same results (`MUSTER_READS=redacted`), or no results at all (`token`).
 */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { NamedField, Resource } from '@muster/model'
import { fieldNames, isCountable, reports, resources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import type { HttpResponse } from '../../../../tests/support/http.ts'
import { generateGroupings, generateListQuery } from '../../../../tests/support/list-query-generator.ts'
import type { ReferenceQuery } from '../../../../tests/support/list-reference.ts'
import { parameterName, visibilityOf } from '../../../../tests/support/list-reference.ts'
import { callMessage, messageIn, postMessage } from '../../../../tests/support/mcp.ts'
import { probeCount } from '../../../../tests/support/probes.ts'
import type { Random } from '../../../../tests/support/random.ts'
import { pick, pickSome, randomNumbers } from '../../../../tests/support/random.ts'
import type { Rows } from '../../../../tests/support/reference.ts'
import { readRows } from '../../../../tests/support/reference.ts'
import { generateComputedValue, generateReportQuery } from '../../../../tests/support/report-query-generator.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

const seed = 20_261_117
const probesPerTool = probeCount(850)
const minProbes = probeCount(5_000)
const concurrentCalls = 3

/** Values that replace all personal ones and occur nowhere else. */
const replacementPattern = /zqzq|\b1907-|77031/i
const replacementOf = ({ kind }: NamedField): string => {
  switch (kind) {
    case 'number':
      return '77031000 + id % 9'
    case 'date':
      return `date '1907-01-01' + (id % 300)::int`
    default:
      return `'zqzq ' || md5(id::text)`
  }
}

const personalResources = resources.filter(({ allFields }) => allFields.some((field) => field.personal))
const replaceStatements = personalResources.map(({ table, allFields }) => {
  const personal = allFields.filter((field) => field.personal)
  const assignments = personal.map((field) => `${field.name} = ${replacementOf(field)}`)
  return `update ${table} set ${assignments.join(', ')}`
})

type Arguments = Readonly<Record<string, unknown>>
interface Probe {
  readonly tool: string
  readonly args: Arguments
}

/** All words of personal values, and values of public text fields. */
const wordsIn = (rows: Rows): string[] => {
  const values = resources.flatMap(({ path, allFields }) =>
    allFields
      .filter(({ kind }) => kind === 'text')
      .flatMap(({ name }) =>
        rows
          .of(path)
          .slice(0, 100)
          .map((row) => row[name]),
      ),
  )
  return [...new Set(values.filter((value) => typeof value === 'string' && value.trim() !== ''))] as string[]
}

/** The API takes several values as text with commas; the tools take arrays. */
const argumentOf = (text: string): unknown => {
  const values = text.split(/(?<!,),(?!,)/).map((value) => value.replaceAll(',,', ','))
  return values.length === 1 && !text.includes(',') ? text : values
}

const filtersOf = ({ filters }: ReferenceQuery): Arguments =>
  Object.fromEntries(
    filters.filter(({ text }) => text.trim() !== '').map((filter) => [parameterName(filter), argumentOf(filter.text)]),
  )

const generateProbes = (rows: Rows): Probe[] => {
  const random = randomNumbers(seed)
  const words = wordsIn(rows)
  const listQuery = (resource: Resource): ReferenceQuery =>
    generateListQuery(visibilityOf(resource, rows, false), random)
  const generators: Readonly<Record<string, () => Arguments>> = {
    list: () => {
      const resource = pick(random, resources)
      const query = listQuery(resource)
      return {
        resource: resource.path,
        filters: { ...filtersOf(query), ...computedFilters(resource, words, random) },
        limit: 200,
        ...(query.q === undefined || query.q.trim() === '' ? {} : { q: query.q }),
        ...(query.sort === undefined ? {} : { sort: query.sort }),
        ...(random(2) === 0 ? {} : { fields: pickSome(random, fieldNames(resource), 1 + random(8)) }),
      }
    },
    count: () => {
      const resource = pick(random, resources.filter(isCountable))
      const query = listQuery(resource)
      return {
        resource: resource.path,
        by: generateGroupings(resource, random).map(({ name }) => name),
        filters: {
          ...filtersOf({ filters: query.filters.slice(0, random(3)) }),
          ...computedFilters(resource, words, random),
        },
      }
    },
    get: () => {
      const resource = pick(random, resources)
      return {
        resource: resource.path,
        id: 1 + random(60),
        ...(random(2) === 0 ? {} : { fields: pickSome(random, fieldNames(resource), 1 + random(12)) }),
      }
    },
    find: () => ({ text: pick(random, pick(random, words).split(/\s+/)).slice(0, 150) || 'a' }),
    report: () => {
      const report = pick(
        random,
        reports.filter(({ name }) => name !== 'org-chart'),
      )
      const sort = pick(random, report.allColumns).name
      return { name: report.name, parameters: reportParameters(report, words, random), sort, limit: 200 }
    },
    org_chart: () => ({
      ...pick<Arguments>(random, [{}, { root: 1 + random(250) }, { above: 1 + random(250) }]),
      depth: random(33),
      managers_only: random(2) === 0,
      ...(random(4) === 0 ? { as_of: '2026-03-01' } : {}),
      sort: pick(random, ['id', '-total_reports', 'last_name', 'first_name']),
      offset: random(60),
    }),
  }
  return Object.entries(generators).flatMap(([tool, generate]) => {
    const probes = new Map<string, Probe>()
    for (let attempt = 0; probes.size < probesPerTool && attempt < 10 * probesPerTool; attempt += 1) {
      const args = generate()
      probes.set(JSON.stringify(args), { tool, args })
    }
    return [...probes.values()]
  })
}

const computedFilters = (resource: Resource, words: readonly string[], random: Random): Arguments => {
  if (resource.computedFilters.length === 0 || random(4) > 0) return {}
  const filter = pick(random, resource.computedFilters)
  return { [filter.parameter]: argumentOf(generateComputedValue(filter, words, random)) }
}

const reportParameters = (report: (typeof reports)[number], words: readonly string[], random: Random): Arguments =>
  Object.fromEntries(
    [...new URLSearchParams(generateReportQuery(report, words, random))].map(([name, text]) => [
      name,
      argumentOf(text),
    ]),
  )

const requireUnauthorized = ({ status, text }: HttpResponse, message: string): void => {
  assert.equal(status, 401, message)
  assert.equal(JSON.parse(text).error.code, 'unauthorized', message)
}

describe('without a token', () => {
  let database: TestDatabase
  let probes: readonly Probe[]
  let emails: readonly string[]
  before(async () => {
    database = await createSeededDatabase()
    const rows = await readRows(database.url)
    probes = generateProbes(rows)
    emails = [...rows.of('employees'), ...rows.of('candidates')].map(({ email }) => String(email).toLowerCase())
  })
  after(() => database.drop())

  const withService = async (reads: 'redacted' | 'token', work: (service: RunningService) => Promise<void>) => {
    const service = await startService(database.url, { reads, poolSize: 10, mcp: { writes: true } })
    try {
      await work(service)
    } finally {
      await service.stop()
    }
  }

  /** The text of the result. Sent again if a busy machine makes the service refuse a statement. */
  const observe = async ({ port }: RunningService, { tool, args }: Probe, headers = {}): Promise<string> => {
    let text = ''
    await waitUntil(`${tool} ${JSON.stringify(args)}`, async () => {
      const response = await postMessage(`http://127.0.0.1:${port}`, callMessage(tool, args), headers)
      const { result } = messageIn(response)
      text = JSON.stringify(result.content)
      return !/overloaded|database_unavailable|\\"failed\\":/.test(text)
    })
    return text
  }

  const observeAll = async (service: RunningService, chosen: readonly Probe[], headers = {}) => {
    const observed = new Map<Probe, string>()
    const remaining = chosen.values()
    const worker = async (): Promise<void> => {
      for (const probe of remaining) observed.set(probe, await observe(service, probe, headers))
    }
    await Promise.all(Array.from({ length: concurrentCalls }, worker))
    return observed
  }

  const countByTool = (chosen: Iterable<Probe>): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const { tool } of chosen) counts[tool] = (counts[tool] ?? 0) + 1
    return counts
  }

  it('nothing can be read if reads need one', async () => {
    await withService('token', async ({ port }) => {
      const send = (message: object, headers = {}) => postMessage(`http://127.0.0.1:${port}`, message, headers)
      const calls = probes.filter((_, index) => index % 10 === 0).map(({ tool, args }) => callMessage(tool, args))
      for (const message of [...calls, { jsonrpc: '2.0', id: 1, method: 'tools/list' }])
        requireUnauthorized(await send(message), JSON.stringify(message))
      for (const authorization of ['Bearer wrong', `Basic ${token}`, token])
        requireUnauthorized(
          await send(callMessage('count', { resource: 'employees' }), { authorization }),
          authorization,
        )
    })
  })

  it(`results stay the same when every personal value changes, in at least ${minProbes} calls`, async (context) => {
    await withService('redacted', async (service) => {
      const withToken = { authorization: `Bearer ${token}` }
      const controls = [
        ...probes.filter((_, index) => index % 10 === 0),
        ...personalResources.map(({ path }): Probe => ({ tool: 'list', args: { resource: path, limit: 200 } })),
      ]
      const [before, controlsBefore] = [
        await observeAll(service, probes),
        await observeAll(service, controls, withToken),
      ]
      const isAccepted = (text: string) => text.includes('\\"rows\\":')
      const accepted = [...before].filter(([, text]) => isAccepted(text)).map(([probe]) => probe)
      context.diagnostic(`${before.size} calls: ${JSON.stringify(countByTool(before.keys()))}`)
      context.diagnostic(`accepted: ${JSON.stringify(countByTool(accepted))}`)
      assert.ok(before.size >= minProbes)
      assert.ok(accepted.length > before.size / 3)
      for (const [probe, text] of before) assert.ok(!revealsEmail(probe, text), JSON.stringify(probe))
      assert.ok([...controlsBefore].some(([probe, text]) => revealsEmail(probe, text)))

      for (const statement of replaceStatements) await database.execute(statement)
      const [after, controlsAfter] = [await observeAll(service, probes), await observeAll(service, controls, withToken)]
      const differing = [...before].filter(([probe, text]) => after.get(probe) !== text).map(([probe]) => probe)
      assert.deepEqual(differing.slice(0, 10), [])
      const revealing = [...after].filter(([, text]) => replacementPattern.test(text)).map(([probe]) => probe)
      assert.deepEqual(revealing.slice(0, 10), [])
      const changed = [...controlsBefore].filter(([probe, text]) => controlsAfter.get(probe) !== text)
      context.diagnostic(`with a token, changed: ${JSON.stringify(countByTool(changed.map(([probe]) => probe)))}`)
      assert.ok([...controlsAfter.values()].some((text) => replacementPattern.test(text)))
    })
  })

  it('leave types are withheld, and cannot be filtered or counted by', async () => {
    await withService('redacted', async (service) => {
      const shown = await observe(service, { tool: 'list', args: { resource: 'leave', limit: 200 } })
      assert.deepEqual([...new Set(shown.match(/leave_type[\\":]+\w+/g))], ['leave_type\\":\\"withheld'])
      for (const [tool, args] of [
        ['list', { resource: 'leave', filters: { leave_type: 'sick' } }],
        ['count', { resource: 'leave', by: ['leave_type'] }],
        ['report', { name: 'leave-days', parameters: { leave_type: 'sick' } }],
      ] as const)
        assert.match(await observe(service, { tool, args }), /needs a token/, tool)
    })
  })

  /** Whether the result contains the e-mail address of a person that the call does not name. */
  const revealsEmail = ({ args }: Probe, text: string): boolean => {
    const sent = JSON.stringify(args).toLowerCase()
    const found = text.toLowerCase().match(/[\w.+-]+@[\w-]+\.[\w.-]+/g) ?? []
    return found.some((email) => emails.includes(email) && !sent.includes(email))
  }
})

describe('a token', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url, {
      reads: 'token',
      readTokens: ['a-read-token-of-more-than-32-characters'],
      mcp: { writes: true },
    })
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const send = async (message: object, headers: Readonly<Record<string, string>>) =>
    messageIn(await postMessage(`http://127.0.0.1:${service.port}`, message, headers))
  const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

  it('for reads reads, and cannot create', async () => {
    const headers = { authorization: 'Bearer a-read-token-of-more-than-32-characters' }
    const { result } = await send(callMessage('count', { resource: 'employees' }), headers)
    assert.equal(result.isError, undefined)
    const { result: list } = await send(listTools, headers)
    assert.equal(list.tools.length, 7)
    const { error } = await send(callMessage('create', { resource: 'leave', record: { leave_type: 'a' } }), headers)
    assert.match(error.message, /There is no tool "create"/)
  })

  it('sent twice is no token, as in the API', async () => {
    const body = JSON.stringify(callMessage('count', { resource: 'employees' }))
    const response = await new Promise<string>((resolve, reject) => {
      const socket = connect(service.port, '127.0.0.1', () =>
        socket.end(
          [
            'POST /mcp HTTP/1.1',
            'host: muster',
            'connection: close',
            'content-type: application/json',
            'accept: application/json, text/event-stream',
            `authorization: Bearer ${token}`,
            `authorization: Bearer ${token}`,
            `content-length: ${body.length}`,
            '',
            body,
          ].join('\r\n'),
        ),
      )
      let text = ''
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text)).on('error', reject)
    })
    assert.match(response, /^HTTP\/1\.1 401/)
    assert.match(response, /"unauthorized"/)
  })

  it('of the service is never used for an agent without one', async () => {
    const message = callMessage('count', { resource: 'employees' })
    requireUnauthorized(await postMessage(`http://127.0.0.1:${service.port}`, message, {}), 'no token')
  })
})
