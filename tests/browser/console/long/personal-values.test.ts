/** With redacted reads, nothing personal reaches a browser: a larger company, and pages from all parts of each list. */
import { resources } from '@muster/model'
import { startMuster } from '../../support/muster.ts'
import { expect, test } from '../../support/test.ts'
import { findPersonalValues } from '../personal-values.ts'
import { screenPaths } from '../screens.ts'

const ids = [1, 400, 1_803, 2_500, 4_999]
const rows = [1, 500, 2_000, 4_500]

test('with redacted reads, none of 5,000 personal values is in a page or a response', async ({ page }) => {
  const muster = await startMuster({ data: { size: 'medium' }, reads: 'redacted' })
  try {
    const search = await findPersonalValues(page, muster, [
      ...Object.values(screenPaths),
      ...ids.flatMap((id) => [`people/${id}`, `people?open=${id}`, `org?person=${id}`, `hiring/openings/${id % 100}`]),
      ...resources.flatMap(({ path }) => rows.map((row) => `data/${path}?_row=${row}`)),
      ...resources.map(({ path }) => `data/${path}?_open=7`),
    ])
    console.log(`${search.values} personal values searched in ${search.texts} responses and pages`)
    expect(search.values).toBeGreaterThanOrEqual(5_000)
    expect(search.found).toEqual([])
  } finally {
    await muster.stop()
  }
})
