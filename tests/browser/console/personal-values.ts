/** Searches for the personal values of the database in everything that a browser gets to see. */
import type { Page } from '@playwright/test'
import { openConsole } from '../support/console-page.ts'
import type { Muster } from '../support/muster.ts'
import { expect } from '../support/test.ts'
import { goTo, waitForScreen } from './screens.ts'

/** Shorter values occur in other texts by chance. */
const minLength = 6

const personalValues = async (muster: Muster): Promise<string[]> => {
  const rows = await muster.sql<{ value: string }>(
    `select distinct value from (
       select unnest(array[first_name, last_name, email]) as value from employees
       union all select unnest(array[first_name, last_name, email, phone]) from candidates
     ) personal where length(value) >= ${minLength}`,
  )
  return rows.map(({ value }) => value)
}

/** Names of cities and job titles are not personal, and some family names are the same words. */
const publicText = async (muster: Muster): Promise<string> => {
  const rows = await muster.sql<{ text: string }>(
    `select string_agg(to_jsonb(record)::text, ' ') as text from (
       select branch, designation, null as text from employees
       union all select title, location, description from job_openings
     ) record
     union all select string_agg(to_jsonb(brand)::text, ' ') from recruitment_brands brand
     union all select string_agg(to_jsonb(site)::text, ' ') from career_sites site
     union all select string_agg(to_jsonb(organization)::text, ' ') from organizations organization`,
  )
  return JSON.stringify(rows)
}

export interface Search {
  /** How many values were searched for, in how many pages and responses. */
  readonly values: number
  readonly texts: number
  readonly found: readonly string[]
}

/** Opens the screens one after the other, without loading the page again, and returns the personal values that occur in a page or in a response of the API. */
export const findPersonalValues = async (page: Page, muster: Muster, paths: readonly string[]): Promise<Search> => {
  const texts: string[] = []
  const bodies: Promise<void>[] = []
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? ''
    if (new URL(response.url()).pathname.startsWith('/api/') && type.includes('json'))
      bodies.push(
        response.text().then(
          (text) => void texts.push(text),
          // The body of an aborted request cannot be read, and nobody has seen it.
          () => {},
        ),
      )
  })
  for (const [index, path] of paths.entries()) {
    if (index === 0) await openConsole(page, muster, path)
    else await goTo(page, path)
    await waitForScreen(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    texts.push(await page.content())
  }
  await Promise.all(bodies)
  const all = texts.join('\n')
  const values = await personalValues(muster)
  const allowed = await publicText(muster)
  const found = values.filter((value) => all.includes(value) && !allowed.includes(value))
  return { values: values.length, texts: texts.length, found }
}
