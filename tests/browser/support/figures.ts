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

export interface LabelledFigure {
  /**
   * What readers see as the label of the figure, in lower case: a text beside the number, or `stage offer: rejected` for a cell,
   * or `status: on leave` for a bar or filter. A row about a record has the path of the record instead of its title.
   */
  readonly label: string
  readonly text: string
  /** Path and parameters of the link in the console. */
  readonly link: string | undefined
  /** The title of the section, if the figure is in a table. A screen can have several tables with the same heads. */
  readonly table: string | undefined
}

/** Returns the figures of a screen that have a label. The marks of charts have none: their values are in tables. */
export const labelledFigures = (page: Page): Promise<LabelledFigure[]> =>
  page
    .getByRole('main')
    .locator('[data-figure]:not([data-mark])')
    .evaluateAll((elements) => {
      const plain = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim()
      const join = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(': ')
      const pathOf = (link: Element | null | undefined): string | undefined => {
        const href = link?.getAttribute('href')
        return href == null ? undefined : new URL(href, document.baseURI).href.replace(/.*\/console\//, '')
      }
      /** The head of a row after that of its column: `stage offer`. */
      const rowHead = (head: HTMLTableCellElement): string => {
        const record = /^[a-z-]+(?:\/[a-z-]+)*\/\d+/.exec(pathOf(head.querySelector('a')) ?? '')
        const column = head.closest('table')?.tHead?.rows[0]?.cells[head.cellIndex]
        return record?.[0] ?? plain(`${column?.textContent} ${head.textContent}`)
      }
      const nameOf = (element: Element): string => {
        const text = plain(element.textContent)
        const what = element.getAttribute('data-what') ?? element.getAttribute('aria-label')
        const row = element.closest('tr')?.querySelector<HTMLTableCellElement>('th[scope=row]')
        if (what != null)
          return join([row == null || row.contains(element) ? '' : rowHead(row), plain(what).replace(text, '').trim()])
        const ids = element.getAttribute('data-named-by') ?? element.getAttribute('aria-labelledby') ?? ''
        const names = ids.split(' ').flatMap((id) => {
          const named = document.getElementById(id)
          if (named === null || named === element) return []
          return named instanceof HTMLTableCellElement && named.scope === 'row'
            ? rowHead(named)
            : plain(named.textContent)
        })
        return names.length > 0
          ? join(names.toReversed())
          : plain(element.closest('label')?.textContent.replace(text, ''))
      }
      const groupOf = (element: Element): string => {
        const group = element.closest('ul[aria-label], section[aria-label], [role=group]')
        const title = document.getElementById(group?.getAttribute('aria-labelledby') ?? '')
        return plain(group?.getAttribute('aria-label') ?? title?.textContent)
      }
      return elements.flatMap((element) => {
        const name = nameOf(element)
        const table = element.closest('table') === null ? null : element.closest('section')
        return name === ''
          ? []
          : {
              label: join([groupOf(element), name]).toLowerCase(),
              text: plain(element.textContent),
              link: pathOf(element.closest('a')),
              table: table === null ? undefined : plain(table.querySelector('h2')?.textContent),
            }
      })
    })
