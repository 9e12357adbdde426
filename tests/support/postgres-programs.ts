/**
 * Substitutes for programs of PostgreSQL, which are not installed on every machine that runs the tests:
 * `psql URL [-c SQL]`, which otherwise reads the SQL from standard input, and `createdb`.
 */
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'

const run = async (connectionString: string, sql: string): Promise<void> => {
  const client = new Client({ connectionString })
  await client.connect()
  await client.query(sql)
  await client.end()
}

const runPsql = async (args: string[]): Promise<void> => {
  const { values, positionals } = parseArgs({
    args,
    options: { command: { type: 'string', short: 'c' } },
    allowPositionals: true,
  })
  await run(positionals[0] ?? '', values.command ?? (await text(process.stdin)))
}

const runCreatedb = async (args: string[]): Promise<void> => {
  const option = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args,
    options: { host: option, port: option, username: option, encoding: option, template: option },
    allowPositionals: true,
  })
  const { host, port, username, encoding = '', template = '' } = values
  await run(
    `postgres://${username}@${host}:${port}/postgres`,
    `create database ${escapeIdentifier(positionals[0] ?? '')} encoding ${escapeLiteral(encoding)} template ${escapeIdentifier(template)}`,
  )
}

const [program, ...args] = process.argv.slice(2)
if (program === 'psql') await runPsql(args)
else await runCreatedb(args)
