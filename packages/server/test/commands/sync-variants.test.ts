/**
 * 750 broken variants of the files of HR systems. Each is refused with line, column and reason, or read correctly. Left
 * out is what nobody can see in a file: text that ends earlier in the last cell of a line, cells that are shifted among
 * columns of free text, and a single date whose day and month are exchanged and both up to 12.
 */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { randomNumbers } from '../../../../tests/support/random.ts'
import { readMap } from '../../src/commands/sync-maps.ts'
import { sheetVariants } from './sheet-variants.ts'
import { emptyDatabase, expectedRecords, resourceOf, sampleNames, storedRecords } from './sync-samples.ts'
import type { Variant } from './sync-variants.ts'
import { variantsOf } from './sync-variants.ts'

const seed = 20_261_119
const variantCount = 750
const sheetSample = 'workday-employees'

const documentOf = async (name: string): Promise<object> =>
  JSON.parse(await readFile(new URL(`../../maps/${name}.json`, import.meta.url), 'utf8'))

/** What a message must contain: the line, and where in it. Files that are cut or repeat a column have more than one. */
const place =
  /:\d+: column \w+|line \d+.*(?:column|position|delimiter|separated)|Line \d+.*column|The columns of line \d+|follows line \d+|It may have been cut off|a document type is not allowed|The first sheet .* is hidden|its element \w+ is not in a namespace of Excel/

describe('muster sync of broken files', () => {
  let database: TestDatabase
  let folder: string
  const counts = { read: 0, refused: 0 }
  const kinds = new Set<string>()
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-variants-'))
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const check = async (name: string, { kind, bytes, isValid, mapMembers }: Variant, label: string): Promise<void> => {
    const file = join(folder, `${name}.${name === sheetSample ? 'xlsx' : 'csv'}`)
    kinds.add(kind)
    await writeFile(file, bytes)
    const changedMap = join(folder, 'map.json')
    if (mapMembers !== undefined)
      await writeFile(changedMap, JSON.stringify({ ...(await documentOf(name)), ...mapMembers }))
    const map = mapMembers === undefined ? name : changedMap
    const { code, out, err } = await muster(['sync', resourceOf(name), file, '--map', map], {
      DATABASE_URL: database.url,
    })
    const records = await storedRecords(database, name)
    const message = `${label} (${kind}): ${out}${err}`
    if (code === 0) {
      counts.read += 1
      assert.deepEqual(records, expectedRecords[name], message)
      await emptyDatabase(database)
    } else {
      counts.refused += 1
      assert.equal(isValid, undefined, message)
      assert.deepEqual(records, [], message)
      assert.match(out + err, place, message)
      assert.doesNotMatch(err, /\n {4}at /, message)
    }
  }

  const share = Math.floor(variantCount / sampleNames.length)
  for (const [index, name] of sampleNames.entries()) {
    const count = index === 0 ? variantCount - share * (sampleNames.length - 1) : share
    it(`stores none of ${count} variants of ${name} wrongly`, async () => {
      await emptyDatabase(database)
      const random = randomNumbers(seed + index)
      const variants =
        name === sheetSample
          ? await sheetVariants(random, count)
          : variantsOf(name, await readMap(name), { random, count })
      for (const [number, variant] of variants.entries()) await check(name, variant, `variant ${number} of ${name}`)
    })
  }

  it('reads some of them and refuses most', (test) => {
    test.diagnostic(
      `${variantCount} variants of ${kinds.size} kinds: ${counts.read} read correctly, ${counts.refused} refused`,
    )
    assert.equal(counts.read + counts.refused, variantCount)
    assert.ok(counts.read > 100 && counts.refused > 500, JSON.stringify(counts))
  })
})
