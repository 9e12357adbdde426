import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pageLinks } from '../../src/http/response/json-response.ts'

const requestFor = (query: string) => ({ path: '/p', query, known: ['limit', 'offset', 'q', 'status', 'id'] })

const linksOf = (link: string | undefined): Record<string, string> =>
  Object.fromEntries([...(link ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target, rel]) => [rel, target]))

describe('the Link header of a page', () => {
  const cases: [query: string, limit: number, offset: bigint, total: number, links: Record<string, string>][] = [
    ['', 50, 0n, 0, { first: '/p?offset=0', last: '/p?offset=0' }],
    ['', 50, 0n, 50, { first: '/p?offset=0', last: '/p?offset=0' }],
    ['', 50, 0n, 51, { first: '/p?offset=0', next: '/p?offset=50', last: '/p?offset=50' }],
    ['offset=7', 10, 7n, 0, { first: '/p?offset=0', prev: '/p?offset=0', last: '/p?offset=0' }],
    [
      'limit=10&q=a%20b&offset=5&status=,,',
      10,
      5n,
      27,
      {
        first: '/p?limit=10&q=a%20b&status=,,&offset=0',
        prev: '/p?limit=10&q=a%20b&status=,,&offset=0',
        next: '/p?limit=10&q=a%20b&status=,,&offset=15',
        last: '/p?limit=10&q=a%20b&status=,,&offset=20',
      },
    ],
    ['', 10, 33n, 27, { first: '/p?offset=0', prev: '/p?offset=20', last: '/p?offset=20' }],
    ['', 10, 10n ** 30n, 27, { first: '/p?offset=0', prev: '/p?offset=20', last: '/p?offset=20' }],
    [
      '%6Fffset=3&offset=4&&id=1&token=secret&%74oken=x',
      2,
      4n,
      5,
      { first: '/p?id=1&offset=0', prev: '/p?id=1&offset=2', last: '/p?id=1&offset=4' },
    ],
    [
      'q=<"\\^`{|}é>',
      9,
      0n,
      1,
      {
        first: '/p?q=%3C%22%5C%5E%60%7B%7C%7D%C3%A9%3E&offset=0',
        last: '/p?q=%3C%22%5C%5E%60%7B%7C%7D%C3%A9%3E&offset=0',
      },
    ],
  ]
  for (const [query, limit, offset, total, links] of cases) {
    it(`is correct for "${query}" with limit ${limit}, offset ${offset} and total ${total}`, () => {
      assert.deepEqual(linksOf(pageLinks(requestFor(query), { limit, offset }, total)), links)
    })
  }

  it('leads from the first page to the last by its next links, through every record once, and back by its prev links', () => {
    for (let total = 0; total <= 25; total += 1) {
      for (let limit = 1; limit <= 12; limit += 1) {
        const offsetOf = (target = ''): bigint => BigInt(target.split('offset=')[1] ?? '')
        const linksAt = (offset: bigint) => linksOf(pageLinks(requestFor(''), { limit, offset }, total))
        let recordCount = 0
        let currentOffset = offsetOf(linksAt(3n).first)
        for (;;) {
          assert.equal(Number(currentOffset), recordCount)
          recordCount += Math.min(limit, total - recordCount)
          const { next } = linksAt(currentOffset)
          if (next === undefined) break
          assert.equal(linksAt(offsetOf(next)).prev, `/p?offset=${currentOffset}`)
          currentOffset = offsetOf(next)
        }
        assert.deepEqual([recordCount, String(offsetOf(linksAt(0n).last))], [total, String(currentOffset)])
      }
    }
  })

  it('contains only the next link if all links together would be too long', () => {
    const query = `id=${'1,'.repeat(700)}1`
    assert.deepEqual(Object.keys(linksOf(pageLinks(requestFor(query), { limit: 1, offset: 0n }, 9))), ['next'])
    assert.equal(pageLinks(requestFor(query), { limit: 1, offset: 8n }, 9), undefined)
  })
})
