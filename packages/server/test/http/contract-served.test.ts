import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { OpenapiDocument } from '@muster/model'
import { swaggerDocument } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import type { HttpResponse } from '../../../../tests/support/http.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'

/** The placeholder for the base URL in the example commands of the OpenAPI document. */
const documentedBase = '$BASE'

let database: TestDatabase
let service: RunningService

before(async () => {
  database = await createSeededDatabase()
  service = await startService(database.url)
})

after(async () => {
  await service.stop()
  await database.drop()
})

const readCommittedDocument = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../model/contract/${name}`, import.meta.url), 'utf8'))

const readIntroduction = async (): Promise<string> =>
  (await sendRequest(`${service.baseUrl}/openapi.json`)).json.info.description

const blocksOf = (markdown: string, language: string): string[] =>
  [...markdown.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map((match) => match[1] as string)

interface Command {
  readonly line: string
  /** The HTTP status that the comment above the command states, or 200 if there is no such comment. */
  readonly expectedStatus: number
}

const commandsOf = (block: string): Command[] =>
  [...block.matchAll(/^(?:# returns (\d+)\n)?(curl (?:.*\\\n)*.*)$/gm)].map(([, expected = '200', line = '']) => ({
    expectedStatus: Number(expected),
    line,
  }))

/** Sends the request of a curl command. It knows only the options that the introduction uses. */
const runCurl = (line: string): Promise<HttpResponse> => {
  const [, url = ''] = /^curl "([^"]+)"/.exec(line) ?? []
  const headers = [...line.matchAll(/ -H (['"])(.+?): (.+?)\1/g)].map(
    ([, , name = '', value = '']): [string, string] => [name, value.replace('$MUSTER_API_TOKEN', token)],
  )
  const [, body] = / -d '([^']+)'/.exec(line) ?? []
  return sendRequest(
    url.replace(documentedBase, service.baseUrl),
    body === undefined ? {} : { method: 'POST', headers, body },
  )
}

const execFileAsync = promisify(execFile)

describe('the served OpenAPI document', () => {
  it('equals the committed document', async () => {
    const { status, headers, json } = await sendRequest(`${service.baseUrl}/openapi.json`)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/json')
    assert.deepEqual(json, readCommittedDocument('openapi.json'))
  })

  it('is also served as Swagger 2.0 at /swagger.json', async () => {
    const { status, headers, json } = await sendRequest(`${new URL(service.baseUrl).origin}/swagger.json`)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/json')
    const openapi = readCommittedDocument('openapi.json') as OpenapiDocument
    assert.deepEqual(json, JSON.parse(JSON.stringify(swaggerDocument(openapi))))
  })

  it('is served while the database is down', async () => {
    service.database.setReady(false)
    const responses = await Promise.all([
      sendRequest(`${service.baseUrl}/openapi.json`),
      sendRequest(`${new URL(service.baseUrl).origin}/swagger.json`),
    ])
    service.database.setReady(true)
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200],
    )
  })
})

describe('the introduction of the OpenAPI document', () => {
  it('contains commands that get the documented status', async () => {
    const commands = blocksOf(await readIntroduction(), 'sh').flatMap(commandsOf)
    for (const { line, expectedStatus } of commands) assert.equal((await runCurl(line)).status, expectedStatus, line)
    assert.equal(commands.length, 18)
  })

  it('names no host or port, since these depend on the deployment', async () => {
    assert.doesNotMatch(await readIntroduction(), /:\d{4}\b|127\.0\.0\.1|localhost/)
  })

  it('says that records are sorted by id unless sort requests another order', async () => {
    assert.match(await readIntroduction(), /^Records are sorted by id unless `sort` requests another order/m)
  })

  it('refers only to existing employees in its example creates', async () => {
    const createBodies = [...(await readIntroduction()).matchAll(/ -d '([^']+)'/g)].map(([, body = '']) =>
      JSON.parse(body),
    )
    assert.ok(createBodies.length > 1)
    for (const body of createBodies)
      assert.equal((await sendRequest(`${service.baseUrl}/v1/employees/${body.employee_id}`)).status, 200)
  })

  it('contains a script that pages through all records', async () => {
    const [script = ''] = blocksOf(await readIntroduction(), 'js')
    const env = { ...process.env, BASE: service.baseUrl }
    const { stdout } = await execFileAsync(process.execPath, ['--input-type=module', '--eval', script], { env })
    const { json } = await sendRequest(`${service.baseUrl}/v1/employees?limit=1`)
    assert.equal(Number(stdout), json.meta.total)
    assert.ok(json.meta.total > 200)
  })

  it('contains a function that finds the errors in both error formats', async () => {
    const script = blocksOf(await readIntroduction(), 'js')[1] ?? ''
    const { errorsOf } = (await import(`data:text/javascript,${encodeURIComponent(`export ${script}`)}`)) as {
      errorsOf: (body: unknown) => { type: string }[]
    }
    const invalidRead = await sendRequest(`${service.baseUrl}/v1/leave?limit=0`)
    const invalidCreate = await sendRequest(`${service.baseUrl}/v1/leave`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    })
    assert.deepEqual(
      [invalidRead, invalidCreate].map(({ json }) => errorsOf(json).map(({ type }) => type)),
      [['greater_than_equal'], ['missing']],
    )
    assert.deepEqual(errorsOf((await sendRequest(`${service.baseUrl}/v1/leave/0`)).json), [])
  })
})

describe('the example body of a create', () => {
  const exampleBodyOf = (path: string) => {
    const { paths } = readCommittedDocument('openapi.json') as {
      paths: Record<string, { post: { requestBody: { content: Record<string, { examples: object }> } } }>
    }
    const { examples = {} } = paths[path]?.post.requestBody.content['application/json'] ?? {}
    return Object.values<{ value: Record<string, unknown> }>(examples as never)[0]?.value ?? {}
  }

  it('describes a new record, such as an application in its first stage and pending leave', () => {
    const application = exampleBodyOf('/v1/applications')
    assert.deepEqual([application.stage, application.status], ['applied', 'active'])
    assert.ok(!('rejection_reason' in application))
    assert.equal(application.stage_entered_on, application.applied_on)
    assert.equal(exampleBodyOf('/v1/leave').status, 'pending')
    assert.equal(exampleBodyOf('/v1/job-distributions').status, 'published')
  })

  it('can be sent unchanged, and refers to existing records', async () => {
    for (const path of ['/v1/leave', '/v1/applications']) {
      const { status, text } = await sendRequest(`${service.baseUrl}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(exampleBodyOf(path)),
      })
      assert.equal(status, 201, text)
    }
  })
})
