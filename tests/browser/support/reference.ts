import { join } from 'node:path'
import type { Locator, Page, Response } from '@playwright/test'
import { expect } from '@playwright/test'

export interface Operation {
  readonly tag: string
  readonly method: 'GET' | 'POST'
  readonly path: string
}

const sectionIdOf = ({ tag, method, path }: Operation): string => `tag/${tag}/${method}${path}`

/** Opens the documentation page at an operation and waits until the operation stays in one position. */
export const showOperation = async (page: Page, docsUrl: string, operation: Operation): Promise<void> => {
  await page.goto(`${docsUrl}#${sectionIdOf(operation)}`)
  await waitUntilStable(page.locator(`section[id$="${sectionIdOf(operation)}"]`))
}

/** Waits for 20 frames without a layout change: the page renders in steps, which move the content further down. */
export const waitUntilStable = (element: Locator): Promise<void> =>
  expect
    .poll(
      () =>
        element.evaluate(async (element) => {
          const readBounds = (): string =>
            JSON.stringify([element.getBoundingClientRect(), document.body.scrollHeight, element.isConnected])
          const initialBounds = readBounds()
          for (let frame = 0; frame < 20; frame += 1) {
            await new Promise(requestAnimationFrame)
            if (readBounds() !== initialBounds) return 'moved'
          }
          return 'stable'
        }),
      { timeout: 120_000 },
    )
    .toBe('stable')

const dialogOn = (page: Page): Locator => page.getByRole('dialog')

export const openTestDialog = async (page: Page, { method, path }: Operation): Promise<void> => {
  const button = page.getByRole('button', { name: `Test Request (${method.toLowerCase()} ${path})` })
  await button.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await button.click()
  await waitUntilStable(dialogOn(page))
}

export const typeToken = (page: Page, token: string): Promise<void> =>
  dialogOn(page).getByPlaceholder('Token').pressSequentially(token)

/** Clicks "Send" in the dialog for test requests and waits until the dialog shows the status of the response. */
export const sendTestRequest = async (page: Page, { method, path }: Operation): Promise<Response> => {
  const responsePromise = page.waitForResponse(
    (response) => response.request().method() === method && new URL(response.url()).pathname === `/api${path}`,
  )
  await dialogOn(page).getByRole('button', { name: 'Send' }).first().click()
  const response = await responsePromise
  const status = dialogOn(page).getByText(`${response.status()} ${response.statusText()}`)
  await status.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await waitUntilStable(dialogOn(page))
  return response
}

/** Saves a screenshot if the environment variable SCREENSHOTS names a folder. */
export const saveScreenshot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) })
}
