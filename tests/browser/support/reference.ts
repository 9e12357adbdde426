import { join } from 'node:path'
import type { ElementHandle, HTTPResponse, Page } from 'puppeteer-core'

export interface Operation {
  readonly tag: string
  readonly method: 'GET' | 'POST'
  readonly path: string
}

const sectionIdOf = ({ tag, method, path }: Operation): string => `tag/${tag}/${method}${path}`

/** Opens the documentation page at an operation and waits until the operation stays in one position. */
export const showOperation = async (page: Page, docsUrl: string, operation: Operation): Promise<void> => {
  await page.goto(`${docsUrl}#${sectionIdOf(operation)}`)
  await waitUntilStable(page, `section[id$="${sectionIdOf(operation)}"]`)
}

/** Waits for 20 frames without a layout change: the page renders in steps, which move the content further down. */
export const waitUntilStable = (page: Page, selector: string): Promise<unknown> =>
  page.waitForFunction(
    async (selector) => {
      const readBounds = (): string => {
        const element = document.querySelector(selector)
        return element === null ? '' : JSON.stringify([element.getBoundingClientRect(), document.body.scrollHeight])
      }
      const initialBounds = readBounds()
      for (let frame = 0; frame < 20; frame += 1) {
        await new Promise(requestAnimationFrame)
        if (readBounds() !== initialBounds) return false
      }
      return initialBounds !== ''
    },
    {},
    selector,
  )

export const findButton = (page: Page, scopeSelector: string, text: string): Promise<ElementHandle<HTMLElement>> =>
  page.waitForFunction(
    (scope, text) => {
      const textWithoutSpaces = (element: Element): string => (element.textContent ?? '').replaceAll(/\s/g, '')
      const buttons = [...document.querySelectorAll<HTMLElement>(`${scope} button`)]
      return buttons.find((button) => textWithoutSpaces(button).startsWith(text) && button.checkVisibility())
    },
    {},
    scopeSelector,
    text.replaceAll(/\s/g, ''),
  ) as unknown as Promise<ElementHandle<HTMLElement>>

export const openTestDialog = async (page: Page, { method, path }: Operation): Promise<void> => {
  const button = await findButton(page, '', `Test Request (${method.toLowerCase()} ${path})`)
  await button.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await button.click()
  await waitUntilStable(page, '[role=dialog]')
}

export const typeToken = async (page: Page, token: string): Promise<void> => {
  const tokenInput = await page.waitForSelector('[role=dialog] input[placeholder=Token]', { visible: true })
  await tokenInput?.type(token)
}

/** Clicks "Send" in the dialog for test requests and waits until the dialog shows the status of the response. */
export const sendTestRequest = async (page: Page, { method, path }: Operation): Promise<HTTPResponse> => {
  const button = await findButton(page, '[role=dialog]', 'Send')
  const responsePromise = page.waitForResponse(
    (response) => response.request().method() === method && new URL(response.url()).pathname === `/api${path}`,
  )
  await button.click()
  const response = await responsePromise
  const status = await page.waitForSelector(`[role=dialog] ::-p-text(${response.status()} ${response.statusText()})`)
  await status?.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await waitUntilStable(page, '[role=dialog]')
  return response
}

/** Saves a screenshot if the environment variable SCREENSHOTS names a folder. */
export const saveScreenshot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) })
}
