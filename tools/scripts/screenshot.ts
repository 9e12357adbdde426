import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Page } from '@playwright/test'

/** All pictures of the documents together stay below 1.5 MB. */
const maxBytes = 150_000

/** Saves what a page shows as WebP. Playwright itself writes only PNG and JPEG, so this asks Chromium. */
export const saveScreenshot = async (page: Page, file: string): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 90 })
  await session.detach()
  const picture = Buffer.from(data, 'base64')
  await writeFile(file, picture)
  console.log(`${basename(file)} ${picture.length} bytes${picture.length > maxBytes ? ', too large' : ''}`)
}
