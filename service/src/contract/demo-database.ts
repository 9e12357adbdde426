/** In charge of a database that holds the demo company for as long as a piece of work takes. */
import { randomBytes } from 'node:crypto'
import { openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { explainDatabaseFault } from '../database/operator-error.ts'
import { seed } from '../demo/seed.ts'

/** `serverUrl` names any database of the server; the role must be allowed to create others. */
export const withDemoDatabase = async <T>(serverUrl: string, work: (url: string) => Promise<T>): Promise<T> => {
  const server = openDatabase({ url: serverUrl, poolSize: 1 })
  const name = `muster_contract_${randomBytes(6).toString('hex')}`
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  try {
    await server.pool.query(`create database ${name} template template0 encoding 'UTF8'`)
    try {
      await migrate(url.href)
      await seed({ connectionString: url.href })
      return await work(url.href)
    } finally {
      await server.pool.query(`drop database if exists ${name} with (force)`)
    }
  } catch (error) {
    throw explainDatabaseFault(error, serverUrl) ?? error
  } finally {
    await server.close()
  }
}
