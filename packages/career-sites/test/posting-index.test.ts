import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../tests/support/database.ts'
import { createSeededDatabase, withClient } from '../../../tests/support/database.ts'
import type { Random } from '../../../tests/support/random.ts'
import { pick, randomNumbers } from '../../../tests/support/random.ts'
import type { RunningService } from '../../../tests/support/service.ts'
import { startService } from '../../../tests/support/service.ts'
import { careerReader } from '../../server/src/http/routes/career-sites.ts'
import { summaryOf } from '../../server/src/postgres/sql/statement.ts'
import type { PostingIndex } from '../src/queries/posting-index.ts'
import { loadPostings } from '../src/queries/posting-index.ts'
import { openPostingIndexes } from '../src/queries/posting-indexes.ts'
import type { Reader } from '../src/reader.ts'

const slug = 'norrgrund-de'

describe('the index of postings', () => {
  let database: TestDatabase
  let service: RunningService
  let siteId: number
  const statements: string[] = []
  const reader = careerReader({
    run(statement) {
      statements.push(summaryOf(statement))
      return service.database.run(statement)
    },
  })
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
    const [site] = await database.query<{ id: number }>('select id from career_sites where slug = $1', [slug])
    siteId = site?.id ?? 0
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })
  const load = async (earlier?: PostingIndex): Promise<PostingIndex> => {
    const index = await loadPostings(reader, slug, earlier)
    assert.ok(index !== undefined)
    return index
  }
  /** Makes the next version from the earlier one, and checks that it is the one that is read as a whole. */
  const update = async (earlier: PostingIndex, label: string): Promise<{ index: PostingIndex; isWhole: boolean }> => {
    statements.length = 0
    const index = await load(earlier)
    const isWhole = statements.includes('career site postings')
    const whole = await load()
    assert.equal(index.version, whole.version, label)
    const { brands, ...site } = index.value.site
    const { brands: usedBrands, ...wholeSite } = whole.value.site
    assert.deepEqual(site, wholeSite, label)
    // A brand that is not used any more stays until the site is read as a whole.
    for (const [id, brand] of usedBrands) assert.deepEqual(brands.get(id), brand, label)
    assert.deepEqual(index.value.published, whole.value.published, label)
    return { index, isWhole }
  }

  it('is the same after every write, whether it is made from the changes or read as a whole', async () => {
    const random = randomNumbers(7)
    let index = await load()
    let [updates, sizes] = [0, new Set<number>()]
    await withClient(database.url, async (client) => {
      for (let round = 0; round < 150; round += 1) {
        const sql = randomWrite(random, siteId)
        await client.query(sql)
        const next = await update(index, `round ${round}: ${sql}`)
        index = next.index
        updates += next.isWhole ? 0 : 1
        sizes.add(index.value.published.length)
      }
    })
    assert.ok(updates > 120, `${updates} of 150 were made from the changes`)
    assert.ok(sizes.size > 5, 'the number of postings changes')
  })

  it('has the changes of a transaction that was open while it was loaded', async () => {
    await withClient(database.url, async (client) => {
      await client.query('begin')
      await client.query(`update job_openings set title = 'Late' where id in (select job_posting_id from job_distributions
        where career_site_id = ${siteId} and status = 'published')`)
      const before = await load()
      await database.query(`update job_openings set title = title || '!' where id = (select min(id) from job_openings where id not in
        (select job_posting_id from job_distributions where career_site_id = ${siteId}))`)
      const { index } = await update(before, 'while the transaction is open')
      await client.query('commit')
      const { index: next, isWhole } = await update(index, 'after the commit')
      assert.equal(isWhole, false)
      assert.ok(next.value.published.length > 0)
      assert.deepEqual([...new Set(next.value.published.map(({ title }) => title))], ['Late'])
    })
  })

  const whole: readonly (readonly [reason: string, change: string, setUp?: string])[] = [
    // Before those that delete from the feed and fill it: while a transaction of another test is open, they concern it too.
    [
      'a posting has a brand that the site had not',
      `update job_distributions set brand_id = (select max(id) from recruitment_brands) where career_site_id = (select id from career_sites where slug = '${slug}')`,
      `insert into recruitment_brands (organization_id, name, slug, settings_json) values (1, 'New', 'new', '{"posting_days": 9}')`,
    ],
    ['a department was renamed', `update departments set name = name || ' II'`],
    ['a brand has other settings', `update recruitment_brands set settings_json = '{"posting_days": 700}'`],
    ['the site was changed', `update career_sites set headline = 'Come' where slug = '${slug}'`],
    [
      'more than 1,000 records changed',
      `insert into job_openings (title, headcount, filled, status) select 'x', 1, 0, 'open' from generate_series(1, 1001)`,
    ],
    [
      'more than 5,000 rows were written to the feed',
      `insert into muster_changes (table_name, kind, ids) select 'attendance', 'created', '{[1,2)}' from generate_series(1, 5001);
       update job_openings set title = title || '.' where id < 40`,
    ],
    [
      'changes were deleted from the feed',
      `update job_openings set title = title || '-' where id < 40; update muster_last_pruned_change set xid = pg_current_xact_id()`,
    ],
  ]
  for (const [reason, change, setUp] of whole) {
    it(`is read as a whole if ${reason}`, async () => {
      if (setUp !== undefined) await database.execute(setUp)
      const earlier = await load()
      await database.execute(change)
      assert.equal((await update(earlier, reason)).isWhole, true)
    })
  }

  it('does not exist for a site that is not active', async () => {
    const earlier = await load()
    await database.query('update career_sites set is_active = 0 where slug = $1', [slug])
    assert.equal(await loadPostings(reader, slug, earlier), undefined)
    assert.equal(await loadPostings(reader, slug, undefined), undefined)
    await database.query('update career_sites set is_active = 1 where slug = $1', [slug])
  })

  it('is not shared with a caller that came after the load began', async () => {
    const indexes = openPostingIndexes(10_000_000)
    const gate = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    let loads = 0
    const slowReader: Reader = {
      async select(query) {
        const result = await reader.select(query)
        if (query.summary === 'career site postings') {
          loads += 1
          started.resolve()
          await gate.promise
        }
        return result
      },
    }
    const first = indexes.load(slowReader, slug)
    await started.promise
    await database.query(`update career_sites set headline = 'After the first load' where slug = $1`, [slug])
    const others = Promise.all(Array.from({ length: 20 }, () => indexes.load(slowReader, slug)))
    gate.resolve()
    assert.notEqual((await first)?.value.site.headline, 'After the first load')
    assert.deepEqual([...new Set((await others).map((index) => index?.value.site.headline))], ['After the first load'])
    assert.equal(loads, 2)
  })

  it('is stored for the sites that were requested last, within a number of bytes', async () => {
    const slugs = (await database.query<{ slug: string }>('select slug from career_sites where is_active = 1')).map(
      (site) => site.slug,
    )
    assert.ok(slugs.length > 10)
    const indexes = openPostingIndexes(200_000)
    for (const each of slugs) await indexes.load(reader, each)
    const stored = slugs.map((each) => indexes.get(each)).filter((index) => index !== undefined)
    assert.ok(stored.length > 0)
    assert.ok(stored.reduce((sum, { value }) => sum + value.bytes, 0) <= 200_000)
    assert.ok(indexes.get(slugs.at(-1) ?? '') !== undefined)
    const { jobId } = (await indexes.load(reader, slug))?.value.published[0] ?? {}
    await database.query(`update job_openings set title = repeat('x', 200000) where id = ${jobId}`)
    await indexes.load(reader, slug)
    assert.equal(indexes.get(slug), undefined)
    const none = openPostingIndexes(0)
    assert.ok((await none.load(reader, slug)) !== undefined)
    assert.equal(none.get(slug), undefined)
  })
})

const randomWrite = (random: Random, siteId: number): string => {
  const distribution = `(select id from job_distributions where career_site_id = ${siteId} order by hashint8(id + ${random(1_000)}) limit 1)`
  const job = `(select job_posting_id from job_distributions where id = ${distribution})`
  const ofDistribution = (set: string) => `update job_distributions set ${set} where id = ${distribution}`
  const ofJob = (set: string) => `update job_openings set ${set} where id = ${job}`
  const name = `w${random(1_000_000)}`
  const insert = `insert into job_distributions (job_posting_id, career_site_id, brand_id, locale, slug, status)
     select id, ${siteId}, 1, '${pick(random, ['de', 'en', 'fr'])}', '${name}-' || id, 'published' from job_openings order by hashint8(id + ${random(1_000)}) limit 2`
  return pick(random, [
    ...[insert, insert],
    ofJob(`status = '${pick(random, ['open', 'open', 'closed', 'on_hold', 'archived'])}'`),
    ofJob(
      `title = '${name}', location = nullif('${pick(random, ['', 'Berlin, Germany', 'Ü"\\'])}', ''), comp_min = ${random(90_000)}`,
    ),
    ofJob(`dept_id = nullif(${random(12)}, 0), employment_type = null, opened_on = date '2026-01-01' + ${random(300)}`),
    ofJob('title = title'),
    ofDistribution(`status = '${pick(random, ['published', 'published', 'published', 'closed', 'draft'])}'`),
    ofDistribution(
      `published_at = ${pick(random, ['null', `now() - interval '${random(90)} days'`, `now() + interval '1 day'`])}`,
    ),
    ofDistribution(`slug = '${name}', locale = '${pick(random, ['de', 'en', 'pl'])}'`),
    ofDistribution(`brand_id = ${pick(random, ['null', 'brand_id', '1'])}`),
    ofDistribution(`career_site_id = ${siteId === 1 ? 2 : 1}, slug = '${name}'`),
    `delete from job_distributions where id = ${distribution}`,
    `update employees set first_name = '${name}' where id = 1`,
  ])
}
