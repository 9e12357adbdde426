/** What the service serves of itself is the committed contract, and its introduction can be followed word for word. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase } from './support/database.ts'
import type { Answer } from './support/http.ts'
import { ask } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'

/** What the examples call the address of the service. */
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

const committed = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../contract/${name}`, import.meta.url), 'utf8'))

const introduction = async (): Promise<string> => (await ask(`${service.base}/openapi.json`)).json.info.description

const blocksOf = (markdown: string, language: string): string[] =>
  [...markdown.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map((match) => match[1] as string)

interface Command {
  readonly line: string
  /** The status that a comment above the command promises; 200 where none does. */
  readonly expected: number
}

const commandsOf = (block: string): Command[] =>
  [...block.matchAll(/^(?:# answers (\d+)\n)?(curl (?:.*\\\n)*.*)$/gm)].map(([, expected = '200', line = '']) => ({
    expected: Number(expected),
    line,
  }))

/** Does what curl does with the few options that the introduction uses. */
const follow = (line: string): Promise<Answer> => {
  const [, address = ''] = /^curl "([^"]+)"/.exec(line) ?? []
  const headers = [...line.matchAll(/ -H (['"])(.+?): (.+?)\1/g)].map(
    ([, , name = '', value = '']): [string, string] => [name, value.replace('$MUSTER_API_TOKEN', token)],
  )
  const [, body] = / -d '([^']+)'/.exec(line) ?? []
  return ask(address.replace(documentedBase, service.base), body === undefined ? {} : { method: 'POST', headers, body })
}

const run = promisify(execFile)

describe('the served description', () => {
  it('is the committed one', async () => {
    const { status, headers, json } = await ask(`${service.base}/openapi.json`)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/json')
    assert.deepEqual(json, committed('openapi.json'))
  })

  it('stands at the root of the host for tools that read Swagger 2.0', async () => {
    const { status, headers, json } = await ask(`${new URL(service.base).origin}/swagger.json`)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/json')
    assert.deepEqual(json, committed('swagger.json'))
  })

  it('is served while the database is away', async () => {
    service.database.setReady(false)
    const answers = await Promise.all([
      ask(`${service.base}/openapi.json`),
      ask(`${new URL(service.base).origin}/swagger.json`),
    ])
    service.database.setReady(true)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
  })
})

describe('the introduction', () => {
  it('has commands that answer as it says', async () => {
    const commands = blocksOf(await introduction(), 'sh').flatMap(commandsOf)
    for (const { line, expected } of commands) assert.equal((await follow(line)).status, expected, line)
    assert.equal(commands.length, 17)
  })

  it('names no host or port, since these depend on the deployment', async () => {
    assert.doesNotMatch(await introduction(), /:\d{4}\b|127\.0\.0\.1|localhost/)
  })

  it('says that the order is that of the ids unless sort asks for another', async () => {
    assert.match(await introduction(), /^Records come in the order of their ids unless `sort` asks for another/m)
  })

  it('creates leave for an employee that exists', async () => {
    const bodies = [...(await introduction()).matchAll(/ -d '([^']+)'/g)].map(([, body = '']) => JSON.parse(body))
    assert.ok(bodies.length > 1)
    for (const body of bodies) assert.equal((await ask(`${service.base}/v1/employees/${body.employee_id}`)).status, 200)
  })

  it('pages through everything as it says', async () => {
    const [walk = ''] = blocksOf(await introduction(), 'js')
    const env = { ...process.env, BASE: service.base }
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', walk], { env })
    const { json } = await ask(`${service.base}/v1/employees?limit=1`)
    assert.equal(Number(stdout), json.meta.total)
    assert.ok(json.meta.total > 200)
  })

  it('finds the faults in both shapes of refusal with one function', async () => {
    const script = blocksOf(await introduction(), 'js')[1] ?? ''
    const { faultsOf } = (await import(`data:text/javascript,${encodeURIComponent(`export ${script}`)}`)) as {
      faultsOf: (body: unknown) => { type: string }[]
    }
    const read = await ask(`${service.base}/v1/leave?limit=0`)
    const write = await ask(`${service.base}/v1/leave`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    })
    assert.deepEqual(
      [read, write].map(({ json }) => faultsOf(json).map(({ type }) => type)),
      [['greater_than_equal'], ['missing']],
    )
    assert.deepEqual(faultsOf((await ask(`${service.base}/v1/leave/0`)).json), [])
  })
})

describe('the example of a create', () => {
  const bodyOf = (path: string) => {
    const { paths } = committed('openapi.json') as {
      paths: Record<string, { post: { requestBody: { content: Record<string, { examples: object }> } } }>
    }
    const { examples = {} } = paths[path]?.post.requestBody.content['application/json'] ?? {}
    return Object.values<{ value: Record<string, unknown> }>(examples as never)[0]?.value ?? {}
  }

  it('is a new record: an application in its first stage, leave that is pending', () => {
    const application = bodyOf('/v1/applications')
    assert.deepEqual([application.stage, application.status], ['applied', 'active'])
    assert.ok(!('rejection_reason' in application))
    assert.equal(application.stage_entered_on, application.applied_on)
    assert.equal(bodyOf('/v1/leave').status, 'pending')
    assert.equal(bodyOf('/v1/job-distributions').status, 'published')
  })

  it('can be sent unchanged, and refers to records that exist', async () => {
    for (const path of ['/v1/leave', '/v1/applications']) {
      const { status, text } = await ask(`${service.base}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf(path)),
      })
      assert.equal(status, 201, text)
    }
  })
})
