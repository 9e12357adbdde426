import type { Disposable, Page, Response } from '@playwright/test'
import { expect } from '@playwright/test'

export type Theme = 'light' | 'dark'

export interface ConsoleView {
  /** The theme that the user has chosen. Default: none, so that the page follows the browser. */
  readonly theme?: Theme
  /** Width and height must be given together. Default: the size that the page has. */
  readonly width?: number
  readonly height?: number
}

/** The two sizes and two themes in which every screen is tested. */
export const screens = { wide: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const
export const themes = ['light', 'dark'] as const

/** The key in localStorage under which the console keeps the theme. */
const themeKey = 'muster.theme'

/**
 * Opens a screen of the console. The path is relative to `/console/`, for example `people?status=active`. Returns the
 * response of the page.
 */
export const openConsole = async (
  page: Page,
  { origin }: { readonly origin: string },
  path: string,
  { theme, width, height }: ConsoleView = {},
): Promise<Response> => {
  if (width !== undefined && height !== undefined) await page.setViewportSize({ width, height })
  const themeScript = theme === undefined ? undefined : await chooseTheme(page, theme)
  const response = await page.goto(new URL(path.replace(/^\//, ''), `${origin}/console/`).href)
  await themeScript?.dispose()
  if (response === null) throw new Error(`${path} only changed the fragment of the URL`)
  await expectStarted(page)
  if (theme !== undefined) await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
  return response
}

/** Waits until the script has replaced the frame that the page contains, and a screen has a title. */
export const expectStarted = async (page: Page): Promise<void> => {
  await expect(page.locator('[data-first-paint]')).toHaveCount(0)
  await expect(page.locator('h1')).toHaveCount(1)
}

/** Stores the theme before the first script of the next page runs. Later pages must keep what the user chose there. */
const chooseTheme = (page: Page, theme: Theme): Promise<Disposable> =>
  page.addInitScript(([key, value]) => localStorage.setItem(key, value), [themeKey, theme] as const)
