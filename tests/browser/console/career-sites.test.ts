/** What Career sites shows besides its figures: reasons, public pages, and how to turn career sites on. */
import { openConsole, screens } from '../support/console-page.ts'
import type { Muster } from '../support/muster.ts'
import { startMuster } from '../support/muster.ts'
import { expect, test } from '../support/test.ts'
import { waitForScreen } from './screens.ts'

test.describe('a company with faulty postings', () => {
  // One worker, because the tests share a service.
  test.describe.configure({ mode: 'default' })
  let muster: Muster
  let siteId: number
  test.beforeAll(async () => {
    muster = await startMuster({ tokens: {}, settings: { MUSTER_CAREER_SITES: 'on' } })
    const [posting] = await muster.sql<{ id: number; job: number; site: number }>(
      `select d.id, j.id as job, d.career_site_id as site from job_distributions d join job_openings j on j.id = d.job_posting_id
       where d.career_site_id = 1 and d.status = 'published' and j.status = 'open' order by d.id limit 1`,
    )
    siteId = posting?.site ?? 0
    await muster.sql(`update job_openings set title = 'The faulty one', location = 'Atlantis' where id = $1`, [
      posting?.job,
    ])
    await muster.sql(`update job_distributions set brand_id = null where id = $1`, [posting?.id])
    await muster.sql(`update career_sites set is_active = 0, accent_color = 'teal' where id = 2`)
  })
  test.afterAll(() => muster.stop())

  test('names what a posting lacks, filters by it, and opens its public page', async ({ page, context }) => {
    await openConsole(page, muster, 'hiring/career-sites')
    await page
      .getByRole('link', { name: /^Search engines: / })
      .first()
      .click()
    await waitForScreen(page)
    const rows = page.getByRole('table').last().getByRole('row')
    const faulty = rows.filter({ hasText: 'The faulty one' }).filter({ hasText: 'No way to apply' })
    await expect(faulty).toContainText('No country')
    await page.getByRole('link', { name: 'No way to apply', exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`/career-sites/${siteId}\\?.*reason=apply`))
    await expect(rows).toHaveCount(2)
    const [publicPage] = await Promise.all([
      context.waitForEvent('page'),
      faulty.getByRole('link', { name: /^Open The faulty one/ }).click(),
    ])
    await expect(publicPage.locator('h1')).toHaveText('The faulty one')
    await expect(publicPage.locator('script[type="application/ld+json"]')).toHaveCount(0)
    await page.getByRole('link', { name: 'Show all' }).click()
    await expect(page).not.toHaveURL(/reason=/)
  })

  test('shows colours with their contrast, and marks a site that is not active', async ({ page }) => {
    await openConsole(page, muster, 'hiring/career-sites', screens.phone)
    const [{ name = '' } = {}] = await muster.sql<{ name: string }>('select name from career_sites where id = 2')
    const site = page.getByRole('region', { name })
    await expect(site).toContainText('Inactive')
    await expect(site).toContainText('not #rgb or #rrggbb, so not used')
    await expect(site.getByRole('row', { name: /Brand/ })).toContainText(/\d\.\d\d : 1/)
    await expect(site.getByRole('link', { name: /^Open / })).toHaveCount(0)
  })
})

test('says that career sites are off, and how to turn them on', async ({ page }) => {
  const muster = await startMuster({ tokens: {} })
  for (const path of ['hiring/career-sites', 'hiring/career-sites/1']) {
    await openConsole(page, muster, path)
    await expect(page.getByRole('heading', { name: 'Career sites are off' })).toBeVisible()
    await expect(page.getByText('MUSTER_CAREER_SITES=on')).toBeVisible()
  }
  await openConsole(page, muster, 'hiring/career-sites/99999')
  await expect(page.getByRole('heading', { name: 'There is no such record' })).toBeVisible()
  await muster.stop()
})
