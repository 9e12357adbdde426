import type { Page } from '@playwright/test'

export interface Figure {
  /** Value of the attribute data-figure. */
  readonly name: string
  /** The text of the element. A bar or dot without text has its label or title here. */
  readonly text: string
  /** Value of the attribute data-value: the number from which the page made the text. Undefined if there is none. */
  readonly value: number | undefined
  /** Absolute URL of the link that the element is or contains. Undefined if there is none. */
  readonly href: string | undefined
}

/** Returns every element with the attribute data-figure, in document order. */
export const figuresOnPage = (page: Page): Promise<Figure[]> =>
  page.locator('[data-figure]').evaluateAll((elements) =>
    elements.map((element) => {
      const link = element.matches('a[href]') ? element : element.querySelector('a[href]')
      const href = link?.getAttribute('href')
      return {
        name: element.getAttribute('data-figure') ?? '',
        text: (element.textContent || element.getAttribute('aria-label') || element.getAttribute('title') || '')
          .replaceAll(/\s+/g, ' ')
          .trim(),
        value: element.hasAttribute('data-value') ? Number(element.getAttribute('data-value')) : undefined,
        // The property href is not a string on links inside an SVG.
        href: href == null ? undefined : new URL(href, document.baseURI).href,
      }
    }),
  )
