/** With redacted reads, nothing personal reaches a browser: a larger company, and pages from all parts of each list. */
import { resources } from '@muster/model'
import { startMuster } from '../../support/muster.ts'
import { expect, test } from '../../support/test.ts'
import { findPersonalValues } from '../personal-values.ts'
import { screenPaths } from '../screens.ts'

const ids = [1, 1_803, 4_999]
const rows = [1, 2_000]
/** Creating the company takes most of the time. */
const timeoutMs = 1_200_000

test('with redacted reads, none of 5,000 personal values is in a page or a response', async ({ page }) => {
  test.setTimeout(timeoutMs)
  const muster = await startMuster({ data: { size: 'medium' }, reads: 'redacted' })
  try {
    const search = await findPersonalValues(page, muster, [
      ...Object.values(screenPaths),
      ...ids.flatMap((id) => [`people/${id}`, `people?open=${id}`, `org?person=${id}`]),
      ...resources.flatMap(({ path }) => rows.map((row) => `data/${path}?_row=${row}`)),
      ...['employees', 'candidates', 'applications', 'leave'].map((path) => `data/${path}?_open=7`),
    ])
    console.log(`${search.values} personal values searched in ${search.texts} responses and pages`)
    expect(search.values).toBeGreaterThanOrEqual(5_000)
    expect(search.found).toEqual([])
  } finally {
    await muster.stop()
  }
})
