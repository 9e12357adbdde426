/** Limits the number of source files that one request runs through, measured with V8's precise coverage. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:http'
import { Session } from 'node:inspector/promises'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../support/database.ts'
import { createTestDatabase } from '../support/database.ts'
import type { RunningService } from '../support/service.ts'
import { startService, token } from '../support/service.ts'

/** Without those of `http/connection`: which requests start when does not depend on what they ask for. */
const maxFilesForList = 21
const maxFilesForCreate = 18
const rounds = 10
const isLimitOfConnections = (file: string): boolean => file.includes('/src/http/connection/')
/** Another test file in this process may have started a service with metrics, which are collected all the time. */
const isMetrics = (file: string): boolean => /\/observability\/(?:metrics|registry)\.ts$/.test(file)

describe('a request', () => {
  let database: TestDatabase
  let service: RunningService
  const session = new Session()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  })
  after(async () => {
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
    agent.destroy()
    await service.stop()
    await database.drop()
  })

  /** Returns the source files of the packages in which a function has run since the last call of this function. */
  const takeExecutedFiles = async (): Promise<string[]> => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
      .map(({ url }) => /\/(packages\/[\w-]+\/src\/.*)$/.exec(url)?.[1])
      .filter((file) => file !== undefined)
      .filter((file) => !isLimitOfConnections(file) && !isMetrics(file))
      .sort()
  }

  /**
   * Only files that ran in all rounds count, because the service also runs health checks and maintenance between
   * the requests.
   */
  const filesForRequest = async (request: (round: number) => Promise<unknown>): Promise<string[]> => {
    await request(0)
    const filesByRound: string[][] = []
    for (let round = 1; round <= rounds; round += 1) {
      await takeExecutedFiles()
      await request(round)
      filesByRound.push(await takeExecutedFiles())
    }
    return (filesByRound[0] ?? []).filter((file) => filesByRound.every((files) => files.includes(file)))
  }

  /** Uses node:http on one keep-alive connection, because `fetch` adds headers that run through more files. */
  const send = async (path: string, headers: OutgoingHttpHeaders = {}, body?: string): Promise<void> => {
    const method = body === undefined ? 'GET' : 'POST'
    const clientRequest = request(`${service.baseUrl}${path}`, { method, headers, agent }).end(body)
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
    await response.toArray()
    assert.equal(response.statusCode, body === undefined ? 200 : 201)
  }
  const createOrganization = (round: number): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return send('/v1/organizations', headers, JSON.stringify({ name: 'A', slug: `a-${round}` }))
  }

  const assertAtMost = (files: readonly string[], maxFiles: number): void => {
    console.log(`${files.length} files:\n  ${files.join('\n  ')}`)
    assert.ok(files.length > 5 && files.length <= maxFiles, `${files.length} files`)
  }

  it(`runs through at most ${maxFilesForList} source files if it reads a list`, async () => {
    const files = await filesForRequest((round) => send(`/v1/departments?limit=${round + 1}&offset=1`))
    assertAtMost(files, maxFilesForList)
  })

  it(`runs through at most ${maxFilesForCreate} source files if it creates a record`, async () => {
    const files = await filesForRequest((round) => createOrganization(round))
    assertAtMost(files, maxFilesForCreate)
  })
})
