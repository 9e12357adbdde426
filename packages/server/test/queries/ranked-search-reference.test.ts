/** The ranked search gives the same results in the same order as a reference that reads all records. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { probeCount } from '../../../../tests/support/probes.ts'
import type { Random } from '../../../../tests/support/random.ts'
import { pick, randomNumbers } from '../../../../tests/support/random.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'

/** A record as a client sees it, with texts without case and accents. */
interface Searched {
  readonly resource: string
  /** Position of the resource in results that match as well. */
  readonly place: number
  readonly id: number
  readonly isEnded: boolean
  /** The fields of the name, in order. */
  readonly name: readonly string[]
  readonly codes: readonly string[]
  readonly text: string
}

/** Each select has the columns of `Searched`; the second one only has what everybody may see. */
const selects = (isFull: boolean): string[] => [
  `select 'employees' as resource, 0 as place, id, status = 'terminated' or alumni = 1 as "isEnded",
    ${isFull ? `array[muster_fold(first_name), muster_fold(last_name)]` : `array[]::text[]`} as name,
    array_remove(array[muster_key(code)${isFull ? ', muster_key(email)' : ''}], null) as codes, ${isFull ? 'search_text' : 'search_text_public'} as text
   from employees`,
  `select 'jobs', 1, id, status in ('closed', 'archived'), array[muster_fold(title)], array[muster_key(code)], search_text from job_openings`,
  `select 'candidates', 2, id, status in ('hired', 'archived'),
    ${isFull ? `array[muster_fold(first_name), muster_fold(last_name)]` : `array[]::text[]`},
    ${isFull ? 'array[muster_key(email)]' : 'array[]::text[]'}, ${isFull ? 'search_text' : 'search_text_public'} from candidates`,
]

interface Ranked {
  readonly record: Searched
  readonly rank: number
  readonly match: string
  readonly key: string
}

const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{Nd}]/u.test(character)

/** Whether the term is somewhere in the text, at the beginning of a word and, if `isWhole`, also at its end. */
const hasWord = (text: string, term: string, isWhole: boolean): boolean => {
  const [characters, sought] = [[...text], [...term]]
  return characters.some(
    (_, start) =>
      sought.every((character, index) => characters[start + index] === character) &&
      !isWordPart(characters[start - 1]) &&
      !(isWhole && isWordPart(characters[start + sought.length])),
  )
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const rankOf = (record: Searched, terms: readonly string[], lowered: string): Ranked | undefined => {
  const text = terms.join(' ')
  const { name, codes } = record
  const names = name.length === 0 ? [] : [name.join(' '), name.toReversed().join(' ')]
  const keys = [...names.map((key) => [key, text]), ...codes.map((key) => [key, lowered])] as [string, string][]
  const least = (found: readonly [string, string][]): string => found.map(([key]) => key).toSorted(byBytes)[0] ?? ''
  const equal = keys.filter(([key, sought]) => key === sought)
  if (equal.length > 0) return { record, rank: 1, match: 'exact', key: least(equal) }
  const begun = keys.filter(([key, sought]) => key.startsWith(sought))
  if (begun.length > 0) return { record, rank: 2, match: 'prefix', key: least(begun) }
  if (!terms.every((term) => record.text.includes(term))) return undefined
  const [key = ''] = names
  if (names.length > 0 && terms.every((term) => hasWord(key, term, false)))
    return { record, rank: 3, match: 'prefix', key }
  return terms.every((term) => hasWord(record.text, term, true))
    ? { record, rank: 4, match: 'word', key }
    : { record, rank: 5, match: 'substring', key }
}

const inOrder = (a: Ranked, b: Ranked): number =>
  a.rank - b.rank ||
  Number(a.record.isEnded) - Number(b.record.isEnded) ||
  a.record.place - b.record.place ||
  byBytes(a.key, b.key) ||
  a.record.id - b.record.id

/** Of more matches in one resource only the newest are ranked. */
const maxConsidered = 500
const seed = 20_261_119
const searches = probeCount(1_000, 12)

describe('the results of a ranked search', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url, { reads: 'redacted', cacheBytes: 0 })
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  for (const isFull of [true, false])
    it(`are those of the reference, ${isFull ? 'with' : 'without'} a token`, async (context) => {
      const records = await database.query<Searched>(selects(isFull).join(' union all '))
      const everything = await database.query<Searched>(selects(true).join(' union all '))
      const random = randomNumbers(seed)
      const matches: Record<string, number> = {}
      let compared = 0
      while (compared < searches) {
        const q = generateText(everything, random)
        const [{ terms, lowered }] = (await database.query<{ terms: string[]; lowered: string }>(
          `select array(select muster_fold(term) from regexp_split_to_table($1, '\\s+') term) as terms, muster_key($1) as lowered`,
          [q],
        )) as [{ terms: string[]; lowered: string }]
        const ranked = records.flatMap((record) => rankOf(record, terms, lowered) ?? []).toSorted(inOrder)
        const counts = Object.values(Object.groupBy(ranked, ({ record }) => record.resource))
        if (counts.some((group) => (group?.length ?? 0) > maxConsidered)) continue
        compared += 1
        const limit = 1 + random(20)
        const { json } = await sendRequest(
          `${service.baseUrl}/v1/search?${new URLSearchParams({ q, limit: String(limit) })}`,
          isFull ? { headers: { authorization: `Bearer ${token}` } } : {},
        )
        const expected = ranked.slice(0, limit).map(({ record, match }) => `${match} ${record.resource} ${record.id}`)
        const found = json.data.map((each: { match: string; resource: string; id: number }) => {
          matches[each.match] = (matches[each.match] ?? 0) + 1
          return `${each.match} ${each.resource} ${each.id}`
        })
        assert.deepEqual(found, expected, q)
        assert.equal(json.meta.more, ranked.length > limit, q)
      }
      context.diagnostic(`${compared} searches: ${JSON.stringify(matches)}`)
      for (const match of ['exact', 'prefix', 'word', 'substring']) assert.ok(Number(matches[match]) > 0, match)
    })
})

/** One or two parts of the texts of a record, from all of its name to a few letters. */
const generateText = (records: readonly Searched[], random: Random): string => {
  const { name, codes, text } = pick(random, records)
  const words = text.split(/\s+/u).filter((word) => word !== '')
  const parts = [name.join(' '), name.toReversed().join(' '), ...codes, ...name]
  const whole = pick(random, random(2) === 0 ? parts : words)
  const other = random(3) === 0 ? ` ${cut(pick(random, words), random)}` : ''
  return (cut(whole, random) + other).trim()
}

const cut = (text: string, random: Random): string => {
  const characters = [...text]
  const from = random(4) === 0 ? random(characters.length) : 0
  return random(2) === 0 ? characters.slice(from, from + 1 + random(characters.length)).join('') : text
}
