import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { minimalBody } from '../bodies.ts'
import type { Case } from '../case.ts'
import type { Operation } from '../contract.ts'
import type { Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import { seedFor } from '../generated.ts'
import { getRequest, postRequest } from '../request.ts'
import type { Source } from './source.ts'
import { apiPath } from './source.ts'

const sourceName = 'paging'

export const paging: Source = {
  name: sourceName,
  about: 'all pages together contain the whole list, even while four writers add records',
  async run(fuzzer) {
    const listOperations = fuzzer.contract.operations.filter(({ kind }) => kind === 'list')
    await forEachInParallel(listOperations, (listOperation) =>
      checkPagesWithoutWriters(fuzzer, listOperation, Math.ceil(fuzzer.sizes.pages / listOperations.length)),
    )
    for (const listOperation of listOperations) {
      const createOperation = fuzzer.contract.operations.find(
        (operation) => operation.kind === 'create' && operation.resource === listOperation.resource,
      )
      if (createOperation !== undefined) await checkPagesWithWriters(fuzzer, listOperation, createOperation)
    }
  },
}

interface Page {
  readonly ids: readonly number[]
  readonly total: number
}

const pageCase = (fuzzer: Fuzzer, listOperation: Operation, limit: number, offset: number): Case => ({
  source: sourceName,
  about: `${listOperation.id} from ${offset}, ${limit} at a time`,
  operation: listOperation.id,
  request: getRequest(`${apiPath(fuzzer, listOperation.path)}?limit=${limit}&offset=${offset}`),
  expect: { status: [200], meta: { limit: String(limit), offset: String(offset) } },
})

const readPage = async (fuzzer: Fuzzer, listOperation: Operation, limit: number, offset: number): Promise<Page> => {
  const { response, deviations } = await fuzzer.run(pageCase(fuzzer, listOperation, limit, offset))
  if (response === undefined || deviations.length > 0) return { ids: [], total: 0 }
  const { data, meta } = JSON.parse(response.text) as { data: { id: number }[]; meta: { total: number } }
  return { ids: data.map(({ id }) => id), total: meta.total }
}

/** Reads pages until one is empty. Returns all ids, and the total that each page reported. */
const readAllPages = async (
  fuzzer: Fuzzer,
  listOperation: Operation,
  limit: number,
): Promise<{ ids: number[]; totals: number[] }> => {
  const ids: number[] = []
  const totals: number[] = []
  for (let offset = 0; ; offset += limit) {
    const page = await readPage(fuzzer, listOperation, limit, offset)
    if (page.ids.length === 0) return { ids, totals }
    ids.push(...page.ids)
    totals.push(page.total)
  }
}

/** Reports a failure without a curl command, because it concerns several pages. */
const reportPaging = ({ results }: Fuzzer, listOperation: Operation, message: string): void =>
  results.addFailure({ source: sourceName, about: listOperation.id, checks: ['paging'], lines: [`paging: ${message}`] })

/** Without concurrent writes, every page must be a slice of the whole list. */
const checkPagesWithoutWriters = async (fuzzer: Fuzzer, listOperation: Operation, pageCount: number): Promise<void> => {
  const allIds = (await readAllPages(fuzzer, listOperation, 200)).ids
  const pageWindows = fc.sample(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.nat(allIds.length + 5)), {
    numRuns: pageCount,
    seed: seedFor(fuzzer.seed, `${sourceName} ${listOperation.id}`),
  })
  for (const [limit, offset] of pageWindows) {
    const { ids, total } = await readPage(fuzzer, listOperation, limit, offset)
    if (!isDeepStrictEqual(ids, allIds.slice(offset, offset + limit)) || total !== allIds.length)
      reportPaging(fuzzer, listOperation, `the page of ${limit} from ${offset} is not a slice of the whole list`)
  }
}

const writerCount = 4

/**
 * While four writers add records, the pages must contain every existing record exactly once and in order. New records
 * may occur twice: if a record is committed after one with a higher id, all records between them move by one place.
 */
const checkPagesWithWriters = async (
  fuzzer: Fuzzer,
  listOperation: Operation,
  createOperation: Operation,
): Promise<void> => {
  const idsBefore = (await readAllPages(fuzzer, listOperation, 200)).ids
  if (idsBefore.some((id, index) => index > 0 && id <= Number(idsBefore[index - 1])))
    reportPaging(fuzzer, listOperation, 'ids repeat or decrease')
  const lastExistingId = idsBefore.at(-1) ?? 0
  const body = JSON.stringify(minimalBody(fuzzer, createOperation))
  let isReading = true
  const writerPromises = Array.from({ length: writerCount }, async () => {
    while (isReading)
      await fuzzer.run({
        source: sourceName,
        about: 'a concurrent writer',
        operation: createOperation.id,
        request: postRequest(apiPath(fuzzer, createOperation.path), body),
        expect: { status: [201] },
      })
  })
  for (const limit of [37, 100]) {
    const { ids, totals } = await readAllPages(fuzzer, listOperation, limit)
    if (
      !isDeepStrictEqual(
        ids.filter((id) => id <= lastExistingId),
        idsBefore,
      )
    )
      reportPaging(fuzzer, listOperation, `with limit ${limit} an existing record is missing or repeated`)
    if (totals.some((total, index) => index > 0 && total < Number(totals[index - 1])))
      reportPaging(fuzzer, listOperation, 'the total decreases although nothing is deleted')
  }
  isReading = false
  await Promise.all(writerPromises)
}
