import { randomBytes } from 'node:crypto'
import { seedDatabase } from '../../packages/server/src/commands/demo-company.ts'
import { openDatabase } from '../../packages/server/src/postgres/connection/database.ts'
import { explainDatabaseError } from '../../packages/server/src/postgres/connection/explain-error.ts'
import { migrate } from '../../packages/server/src/postgres/schema/migrate.ts'

/** Creates a database with the demo company, and drops it after `work`. The role of `serverUrl` must have CREATEDB. */
export const withDemoDatabase = async <T>(serverUrl: string, work: (url: string) => Promise<T>): Promise<T> => {
  const server = openDatabase({ url: serverUrl, poolSize: 1 })
  const name = `muster_contract_${randomBytes(6).toString('hex')}`
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  try {
    await server.readPool.query(`create database ${name} template template0 encoding 'UTF8'`)
    try {
      await migrate(url.href)
      await seedDatabase(url.href)
      return await work(url.href)
    } finally {
      await server.readPool.query(`drop database if exists ${name} with (force)`)
    }
  } catch (error) {
    throw explainDatabaseError(error, serverUrl) ?? error
  } finally {
    await server.close()
  }
}
