/** Compiled, never run: each line under `@ts-expect-error` must not compile, and all others must. */
import type { Candidate, Client, Department } from '@muster/client'
import { countQuery, historyQuery, listQuery, recordQuery, reportQuery } from '../src/service/queries.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const expectEqualTypes = <A, B>(_: Equal<A, B>): void => {}

type Data<Q extends { queryFn?: unknown }> =
  NonNullable<Q['queryFn']> extends (...args: never[]) => infer R ? Awaited<R> : never

export const lists = (client: Client) => {
  const fields = ['id', 'stage'] as const
  const query = listQuery(client, 'applications', { fields, expand: ['candidate'], status: 'active', sort: 'stage' })
  expectEqualTypes<Data<typeof query>['data'], { id: number; stage: string; candidate: Candidate }[]>(true)
  const person = recordQuery(client, 'employees', 1, { expand: ['department'] })
  expectEqualTypes<Data<typeof person>['department'], Department | null>(true)
  expectEqualTypes<Data<typeof person>['code'], string | null>(true)
  // @ts-expect-error no application has it
  listQuery(client, 'applications', { fields: ['nickname'] })
  // @ts-expect-error applications do not refer to departments
  listQuery(client, 'applications', { expand: ['department'] })
  // @ts-expect-error no such order
  listQuery(client, 'applications', { sort: 'nickname' })
  // @ts-expect-error a misspelt filter
  listQuery(client, 'applications', { stauts: 'active' })
}

export const counts = (client: Client) => {
  const query = countQuery(client, 'employees', { by: ['dept_id', 'status'], alumni: 0 })
  expectEqualTypes<Data<typeof query>['data'], { dept_id: number | null; status: string; count: number }[]>(true)
  // @ts-expect-error names are not countable
  countQuery(client, 'employees', { by: 'first_name' })
}

export const histories = (client: Client) => {
  const query = historyQuery(client, 'applications', 1)
  expectEqualTypes<Data<typeof query>['data'][number]['field'], 'stage' | 'status'>(true)
  // @ts-expect-error no changes of departments are recorded
  historyQuery(client, 'departments', 1)
}

export const reports = (client: Client) => {
  const query = reportQuery(client, 'orgChart', { depth: 1 })
  expectEqualTypes<Data<typeof query>['data'][number]['depth'], number | null>(true)
  // @ts-expect-error a parameter of another report
  reportQuery(client, 'orgChart', { leave_type: 'annual' })
}
