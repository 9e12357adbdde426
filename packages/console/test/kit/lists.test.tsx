import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { press, showPart, status } from './render.tsx'

const rowText = (): string => document.activeElement?.textContent ?? ''

describe('Table', () => {
  it('names its rows by the first column and marks the row of the link', async () => {
    await showPart('Table')
    const [first] = document.querySelectorAll('table')
    expect([...(first?.querySelectorAll('tbody th[scope=row]') ?? [])].map((head) => head.textContent)).toEqual([
      'Berlin',
      'תל אביב',
      'Bengaluru',
    ])
    expect(first?.querySelector('[aria-current]')?.textContent).toContain('תל אביב')
    expect(first?.querySelector('thead th[aria-sort=descending]')?.textContent).toBe('People')
  })

  it('has no head cell above bars, and one cell where a row says so', async () => {
    await showPart('Table')
    const [first, second] = document.querySelectorAll('table')
    expect(first?.querySelectorAll('thead th')).toHaveLength(2)
    expect([...(second?.querySelectorAll('tbody tr') ?? [])].map((row) => row.children.length)).toEqual([4, 4, 3])
  })
})

describe('Table with groups', () => {
  it('has a head above the rows of each group, which covers the columns of wide screens', async () => {
    await showPart('Table')
    const grouped = [...document.querySelectorAll('table')].at(-1)
    const heads = [...(grouped?.querySelectorAll('th[scope=rowgroup]') ?? [])]
    expect(heads.map((head) => [head.textContent, head.getAttribute('colspan')])).toEqual([
      ['More than 100 people', '2'],
      ['Fewer', '2'],
    ])
    expect([...(grouped?.querySelectorAll('tbody') ?? [])].map((body) => body.children.length)).toEqual([3, 3])
  })
})

describe('GridTable', () => {
  it('selects with the arrow keys and opens with Enter', async () => {
    await showPart('GridTable')
    await press('Tab')
    await expect.poll(rowText).toContain('Bengaluru')
    await press('ArrowDown')
    await expect.element(status()).toHaveTextContent('Selected: 1. Opened: none.')
    await press('Enter')
    await expect.element(status()).toHaveTextContent('Selected: 1. Opened: 1.')
  })

  it('sorts by a head that can sort, and by no other', async () => {
    await showPart('GridTable')
    const heads = page.getByRole('columnheader')
    await heads.nth(0).click()
    await expect.element(heads.nth(0)).toHaveAttribute('aria-sort', 'descending')
    await expect.element(heads.nth(1)).not.toHaveAttribute('aria-sort')
    await expect.poll(() => document.querySelector('tbody tr')?.textContent).toContain('תל אביב')
  })
})

describe('CardList', () => {
  it('moves between cards with the arrow keys and selects with Space', async () => {
    await showPart('CardList')
    await press('Tab', 'ArrowRight', ' ')
    await expect.element(status()).toHaveTextContent('Selected: 2')
  })

  it('without a selection acts when a line is pressed', async () => {
    await showPart('CardList')
    await page.getByRole('grid', { name: 'Offices as lines' }).getByRole('row').nth(2).click()
    await expect.element(status()).toHaveTextContent('Selected: 3')
  })
})

describe('Tree', () => {
  for (const [direction, open, close] of [
    ['ltr', 'ArrowRight', 'ArrowLeft'],
    ['rtl', 'ArrowLeft', 'ArrowRight'],
  ] as const)
    it(`opens a row with ${open} and closes it with ${close}, ${direction}`, async () => {
      await showPart('Tree', { direction })
      const rows = () => [...document.querySelectorAll('[role=row]')].map((row) => row.textContent)
      await press('Tab', open)
      await expect.poll(rows).toEqual(['Ada', 'Grace', 'Alan'])
      await press(close)
      await expect.poll(rows).toEqual(['Ada', 'Alan'])
    })
})

describe('Facet', () => {
  it('shows the first values, and selected ones beyond them', async () => {
    await showPart('Facet')
    await expect.poll(() => document.querySelectorAll('input[type=checkbox]').length).toBe(8)
    await page.getByRole('checkbox', { name: /^Office 3/ }).click({ force: true })
    await expect.element(status()).toHaveTextContent('Selected: office 20, office 3')
  })

  it('shows all values on demand, and a field to find them', async () => {
    await showPart('Facet')
    await page.getByRole('button', { name: '32 more in Office' }).click()
    await expect.poll(() => document.querySelectorAll('input[type=checkbox]').length).toBe(40)
    await page.getByRole('searchbox', { name: 'Find in Office' }).fill('39')
    await expect.poll(() => document.querySelectorAll('input[type=checkbox]').length).toBe(1)
    await page.getByRole('checkbox', { name: /^Office 39/ }).click({ force: true })
    // What the search hides stays selected.
    await expect.element(status()).toHaveTextContent('Selected: office 20, office 39')
  })
})

describe('Chip', () => {
  it('is removed by its button, and all are removed together', async () => {
    await showPart('Chip')
    await page.getByRole('button', { name: 'Remove the filter office: Berlin' }).click()
    await expect.element(status()).toHaveTextContent('1 filters')
    await expect.element(page.getByRole('button', { name: 'Clear' })).not.toBeInTheDocument()
  })

  it('with an editor opens it', async () => {
    await showPart('Chip')
    await press('Tab', 'Enter')
    await expect.element(page.getByRole('dialog', { name: 'Filter by status' })).toBeVisible()
    await press('Escape')
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    await userEvent.tab()
    await press('Enter')
    await expect.element(status()).toHaveTextContent('1 filters')
  })
})

describe('Picks', () => {
  it('filters by one value, and All removes it', async () => {
    await showPart('Picks')
    const office = page.getByRole('group', { name: 'Office' })
    await office.getByRole('button', { name: /^Berlin/ }).click()
    await expect.element(office.getByRole('button', { name: /^Berlin/ })).toHaveAttribute('aria-pressed', 'true')
    await office.getByRole('button', { name: /^All/ }).click()
    await expect.element(office.getByRole('button', { name: /^Berlin/ })).toHaveAttribute('aria-pressed', 'false')
  })

  it('finds values that are not in view, and shows the chosen one', async () => {
    await showPart('Picks')
    const team = page.getByRole('group', { name: 'Team' })
    await team.getByRole('button', { name: 'Team: 15 more' }).click()
    await page.getByRole('searchbox', { name: 'Find in Team' }).fill('19')
    await expect.poll(() => document.querySelectorAll('[role=dialog] li').length).toBe(1)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Team 19/ })
      .click()
    await expect.element(team.getByRole('button', { name: /^Team 19/ })).toHaveAttribute('aria-pressed', 'true')
  })
})

describe('Pager', () => {
  it('links to the pages that there are', async () => {
    await showPart('Pager')
    const links = [...document.querySelectorAll('nav')].map((nav) => [...nav.querySelectorAll('a')])
    expect(links.map((steps) => steps.map((step) => [step.textContent, step.getAttribute('href')]))).toEqual([
      [
        ['Previous', '/'],
        ['Next', '/?offset=50'],
      ],
      [
        ['First', '/'],
        ['Previous', '/?offset=1175'],
      ],
    ])
    await expect.element(page.getByText('26 – 50 of 1,204')).toBeVisible()
  })
})

describe('ChartFrame', () => {
  it('is one stop of the Tab key, whose marks the arrow keys reach', async () => {
    await showPart('ChartFrame')
    await press('Tab', 'Tab')
    await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Berlin: 1204')
    await press('End')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Bengaluru: 87')
    await press('Tab')
    expect(document.activeElement?.hasAttribute('data-mark')).toBe(false)
  })

  it('can be shown as a table', async () => {
    await showPart('ChartFrame')
    await page.getByRole('button', { name: 'Show as a table: Joined' }).click()
    await expect.element(page.getByRole('table')).toBeVisible()
    await expect.element(page.getByRole('group', { name: 'People per office' })).not.toBeInTheDocument()
  })
})
