/** In charge of using the documentation page as a reader does: open it, jump to an operation, try it. */
import { join } from 'node:path'
import type { ElementHandle, HTTPResponse, Page } from 'puppeteer-core'

export interface Operation {
  readonly tag: string
  readonly method: 'GET' | 'POST'
  readonly path: string
}

const sectionId = ({ tag, method, path }: Operation): string => `tag/${tag}/${method}${path}`

/** Opens the page, or jumps within it, and waits until the operation stands still on the screen. */
export const showOperation = async (page: Page, docsUrl: string, operation: Operation): Promise<void> => {
  await page.goto(`${docsUrl}#${sectionId(operation)}`)
  await untilStill(page, `section[id$="${sectionId(operation)}"]`)
}

/** The reference fills itself in bit by bit and moves what is below. */
export const untilStill = (page: Page, selector: string): Promise<unknown> =>
  page.waitForFunction(
    async (selector) => {
      const place = (): string => {
        const element = document.querySelector(selector)
        return element === null ? '' : JSON.stringify([element.getBoundingClientRect(), document.body.scrollHeight])
      }
      const first = place()
      for (let frame = 0; frame < 20; frame += 1) {
        await new Promise(requestAnimationFrame)
        if (place() !== first) return false
      }
      return first !== ''
    },
    {},
    selector,
  )

export const findButton = (page: Page, scope: string, text: string): Promise<ElementHandle<HTMLElement>> =>
  page.waitForFunction(
    (scope, text) => {
      const squeezed = (element: Element): string => (element.textContent ?? '').replaceAll(/\s/g, '')
      const buttons = [...document.querySelectorAll<HTMLElement>(`${scope} button`)]
      return buttons.find((button) => squeezed(button).startsWith(text) && button.checkVisibility())
    },
    {},
    scope,
    text.replaceAll(/\s/g, ''),
  ) as unknown as Promise<ElementHandle<HTMLElement>>

export const openTryIt = async (page: Page, { method, path }: Operation): Promise<void> => {
  const button = await findButton(page, '', `Test Request (${method.toLowerCase()} ${path})`)
  await button.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await button.click()
  await untilStill(page, '[role=dialog]')
}

export const typeToken = async (page: Page, token: string): Promise<void> => {
  const field = await page.waitForSelector('[role=dialog] input[placeholder=Token]', { visible: true })
  await field?.type(token)
}

/** Sends the request as it stands in the dialog and waits until the dialog shows the answer's status. */
export const send = async (page: Page, { method, path }: Operation): Promise<HTTPResponse> => {
  const button = await findButton(page, '[role=dialog]', 'Send')
  const answered = page.waitForResponse(
    (response) => response.request().method() === method && new URL(response.url()).pathname === `/api${path}`,
  )
  await button.click()
  const response = await answered
  const status = await page.waitForSelector(`[role=dialog] ::-p-text(${response.status()} ${response.statusText()})`)
  await status?.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await untilStill(page, '[role=dialog]')
  return response
}

/** Kept for whoever wants to look, where SCREENSHOTS names a folder. */
export const keepScreenshot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) })
}
