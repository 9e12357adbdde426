import { openConsole } from '../support/console-page.ts'
import { expect, test } from '../support/test.ts'
import { screenPaths, waitForScreen } from './screens.ts'

test('the Department column is hidden only once the list of one department has arrived', async ({ page, muster }) => {
  await openConsole(page, muster, screenPaths.people, { width: 1600, height: 900 })
  await waitForScreen(page)
  const column = page.getByRole('columnheader', { name: 'Department' })
  await expect(column).toBeVisible()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const isListOfDepartment = (url: URL): boolean =>
    url.pathname.endsWith('/v1/employees') && url.searchParams.has('dept_id') && url.searchParams.has('expand')
  await page.route(isListOfDepartment, async (route) => {
    await released
    await route.continue()
  })
  const asked = page.waitForRequest((request) => isListOfDepartment(new URL(request.url())))
  await page.getByRole('group', { name: 'Department' }).getByRole('checkbox').first().check({ force: true })
  await asked
  await expect(column).toBeVisible()
  release()
  await expect(column).toHaveCount(0)
})
