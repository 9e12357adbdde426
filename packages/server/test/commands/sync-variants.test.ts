/**
 * 500 broken variants of the files of HR systems. Each is refused with line, column and reason, or read correctly. Left
 * out is what nobody can see in a file: text that ends earlier in the last cell of a line, cells that are shifted among
 * columns of free text, and a single date whose day and month are exchanged and both up to 12.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
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
const variantCount = 500
const sheetSample = 'workday-employees'

/** What a message must contain: the line, and where in it. Files that are cut or repeat a column have more than one. */
const place =
  /:\d+: column \w+|line \d+.*(?:column|position|delimiter|separated)|Line \d+.*column|The columns of line \d+|follows line \d+|It may have been cut off|a document type is not allowed/

describe('muster sync of broken files', () => {
  let database: TestDatabase
  let folder: string
  const counts = { read: 0, refused: 0 }
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-variants-'))
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const check = async (name: string, { kind, bytes, isValid }: Variant, label: string): Promise<void> => {
    const file = join(folder, `${name}.${name === sheetSample ? 'xlsx' : 'csv'}`)
    await writeFile(file, bytes)
    const { code, out, err } = await muster(['sync', resourceOf(name), file, '--map', name], {
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

  it('reads some of them and refuses most', () => {
    assert.equal(counts.read + counts.refused, variantCount)
    assert.ok(counts.read > 50 && counts.refused > 350, JSON.stringify(counts))
  })
})
