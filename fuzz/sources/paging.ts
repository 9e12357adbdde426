/** In charge of paging: any pages put together are the whole list in order, also while others write. */

import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { plainBody } from '../bodies.ts'
import type { Case } from '../case.ts'
import type { Operation } from '../contract.ts'
import { seedFor } from '../generated.ts'
import type { Machine } from '../machine.ts'
import { inParallel } from '../machine.ts'
import { read, write } from '../request.ts'
import type { Source } from './source.ts'
import { pathOf } from './source.ts'

const name = 'paging'

export const paging: Source = {
  name,
  about: 'pages put together are the whole list, also with four writers',
  async run(machine) {
    const lists = machine.contract.operations.filter(({ kind }) => kind === 'list')
    await inParallel(lists, (list) => quietPages(machine, list, Math.ceil(machine.sizes.pages / lists.length)))
    for (const list of lists) {
      const create = machine.contract.operations.find((one) => one.kind === 'create' && one.resource === list.resource)
      if (create !== undefined) await busyPages(machine, list, create)
    }
  },
}

interface Page {
  readonly ids: readonly number[]
  readonly total: number
}

const pageCase = (machine: Machine, list: Operation, limit: number, offset: number): Case => ({
  source: name,
  about: `${list.id} from ${offset}, ${limit} at a time`,
  operation: list.id,
  request: read(`${pathOf(machine, list.path)}?limit=${limit}&offset=${offset}`),
  expect: { status: [200], meta: { limit: String(limit), offset: String(offset) } },
})

const readPage = async (machine: Machine, list: Operation, limit: number, offset: number): Promise<Page> => {
  const { answer, deviations } = await machine.run(pageCase(machine, list, limit, offset))
  if (answer === undefined || deviations.length > 0) return { ids: [], total: 0 }
  const { data, meta } = JSON.parse(answer.text) as { data: { id: number }[]; meta: { total: number } }
  return { ids: data.map(({ id }) => id), total: meta.total }
}

/** The whole list as a reader gets it who goes on until a page is empty; `totals` are those he was told. */
const readAll = async (
  machine: Machine,
  list: Operation,
  limit: number,
): Promise<{ ids: number[]; totals: number[] }> => {
  const ids: number[] = []
  const totals: number[] = []
  for (let offset = 0; ; offset += limit) {
    const page = await readPage(machine, list, limit, offset)
    if (page.ids.length === 0) return { ids, totals }
    ids.push(...page.ids)
    totals.push(page.total)
  }
}

/** The fault lies among several pages, so there is no single request to show. */
const report = ({ tally }: Machine, list: Operation, message: string): void =>
  tally.fail({ source: name, about: list.id, checks: ['paging'], lines: [`paging: ${message}`] })

/** While nobody writes, every page is a slice of the whole. */
const quietPages = async (machine: Machine, list: Operation, pages: number): Promise<void> => {
  const whole = (await readAll(machine, list, 200)).ids
  const windows = fc.sample(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.nat(whole.length + 5)), {
    numRuns: pages,
    seed: seedFor(machine.seed, `${name} ${list.id}`),
  })
  for (const [limit, offset] of windows) {
    const { ids, total } = await readPage(machine, list, limit, offset)
    if (!isDeepStrictEqual(ids, whole.slice(offset, offset + limit)) || total !== whole.length)
      report(machine, list, `the page of ${limit} from ${offset} is no slice of the whole`)
  }
}

const writers = 4

/** While four others write, a reader meets every record that was there before, once and in order. */
const busyPages = async (machine: Machine, list: Operation, create: Operation): Promise<void> => {
  const before = (await readAll(machine, list, 200)).ids
  const last = before.at(-1) ?? 0
  const body = JSON.stringify(plainBody(machine, create))
  let isReading = true
  const writing = Array.from({ length: writers }, async () => {
    while (isReading)
      await machine.run({
        source: name,
        about: 'a writer beside the reader',
        operation: create.id,
        request: write(pathOf(machine, create.path), body),
        expect: { status: [201] },
      })
  })
  for (const limit of [37, 100]) {
    const { ids, totals } = await readAll(machine, list, limit)
    if (
      !isDeepStrictEqual(
        ids.filter((id) => id <= last),
        before,
      )
    )
      report(machine, list, `with pages of ${limit} a record that was there is lost or repeated`)
    if (ids.some((id, at) => at > 0 && id <= Number(ids[at - 1])))
      report(machine, list, `with pages of ${limit} ids repeat or go back`)
    if (totals.some((total, at) => at > 0 && total < Number(totals[at - 1])))
      report(machine, list, 'the total falls while nothing is taken away')
  }
  isReading = false
  await Promise.all(writing)
}
