/** Overloads a service for real: requests of other clients hold all its database connections. */
import { Agent, request } from 'node:http'
import { resources } from '@muster/model'
import { Client } from 'pg'
import type { Muster } from './muster.ts'

/** Each client has an address of its own, because the service shares its connections between addresses. */
const clientAddresses = Array.from({ length: 8 }, (_, index) => `127.0.1.${index + 1}`)
/** Requests that one client has under way for each kind of statement. */
const requestsPerKind = 3

/** Lists, searches, sorted lists and reports run in different pools. No two requests are equal, so none are shared. */
const pathsOf = (number: number): string[] => {
  const resource = resources[number % resources.length]?.path as string
  const day = new Date(Date.UTC(2_000, 0, 1 + number)).toISOString().slice(0, 10)
  return [
    `/api/v1/${resource}?limit=7&offset=${number}`,
    `/api/v1/employees?q=${number}aaa`,
    `/api/v1/leave?sort=-from_date&offset=${number}`,
    `/api/v1/counts/employees?by=status&id=${number + 1},${number + 2}`,
    `/api/v1/reports/today?as_of=${day}`,
  ]
}

/** Returns a function that ends the overload. */
export const overload = async ({ origin, databaseUrl }: Muster): Promise<() => Promise<void>> => {
  const locks = new Client({ connectionString: databaseUrl })
  await locks.connect()
  const tables = [...new Set(resources.map(({ table }) => table))].join(', ')
  await locks.query(`begin; lock table ${tables} in access exclusive mode`)
  const agents = clientAddresses.map((localAddress) => new Agent({ keepAlive: true, localAddress }))
  let isOver = false
  let number = 0
  const send = async (agent: Agent, kind: number): Promise<void> => {
    while (!isOver) {
      number += 1
      const url = `${origin}${pathsOf(number)[kind]}`
      await new Promise<void>((resolve) => {
        request(url, { agent }, (response) => response.resume().on('close', resolve))
          .on('error', () => resolve())
          .end()
      })
    }
  }
  const senders = agents.flatMap((agent) =>
    pathsOf(0).flatMap((_, kind) => Array.from({ length: requestsPerKind }, () => send(agent, kind))),
  )
  return async () => {
    isOver = true
    await locks.query('rollback')
    await locks.end()
    await Promise.all(senders)
    for (const agent of agents) agent.destroy()
  }
}
