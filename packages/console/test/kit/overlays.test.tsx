import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { press, showPart, status } from './render.tsx'

const focusedText = (): string => document.activeElement?.textContent ?? ''

describe('Popover', () => {
  it('is opened by Enter, named by its title, and Escape gives the focus back', async () => {
    await showPart('Popover')
    await press('Tab', 'Enter')
    await expect.element(page.getByRole('dialog', { name: 'How this is counted' })).toBeVisible()
    await press('Escape')
    await expect.poll(focusedText).toBe('How is this counted?')
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  })

  it('is closed by its content', async () => {
    await showPart('Popover')
    await page.getByRole('button', { name: 'Period' }).click()
    await page.getByRole('button', { name: '12 months' }).click()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  })

  it('is a sheet at the bottom of a phone', async () => {
    await page.viewport(390, 844)
    try {
      await showPart('Popover')
      await page.getByRole('button', { name: 'Period' }).click()
      const dialog = page.getByRole('dialog', { name: 'Period' })
      await expect.element(dialog).toBeVisible()
      const { left, width, bottom } = dialog.element().parentElement?.getBoundingClientRect() ?? new DOMRect()
      expect({ left, width, bottom }).toEqual({ left: 0, width: 390, bottom: 844 })
    } finally {
      await page.viewport(1280, 800)
    }
  })
})

describe('Dialog', () => {
  it('keeps the focus inside, and Escape closes it', async () => {
    await showPart('Dialog')
    await page.getByRole('button', { name: 'Keys' }).click()
    const dialog = page.getByRole('dialog', { name: 'Keys' })
    await expect.element(dialog).toBeVisible()
    await press('Tab', 'Tab', 'Tab')
    expect(dialog.element().contains(document.activeElement)).toBe(true)
    await press('Escape')
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.poll(focusedText).toBe('Keys')
  })

  it('is closed by its button', async () => {
    await showPart('Dialog')
    await page.getByRole('button', { name: 'Keys' }).click()
    await page.getByRole('button', { name: 'Close' }).click()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  })

  it('as a sheet is closed by its footer', async () => {
    await showPart('Dialog')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('button', { name: 'Show 12 people' }).click()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    await expect.poll(focusedText).toBe('Filter')
  })
})

describe('Drawer', () => {
  it('moves to the records beside it, as far as there are some, and closes', async () => {
    await showPart('Drawer')
    const heading = page.getByRole('heading', { level: 2 })
    await expect.element(page.getByRole('button', { name: 'Previous person' })).toBeDisabled()
    await page.getByRole('button', { name: 'Next person' }).click()
    await expect.element(heading).toHaveTextContent('Person 2')
    await page.getByRole('button', { name: 'Previous person' }).click()
    await expect.element(heading).toHaveTextContent('Person 1')
    await page.getByRole('button', { name: 'Close' }).click()
    await expect.element(page.getByRole('complementary')).not.toBeInTheDocument()
  })

  it('takes the focus on a phone, where it covers the list', async () => {
    await page.viewport(390, 844)
    try {
      await showPart('Drawer')
      await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Person')
    } finally {
      await page.viewport(1280, 800)
    }
  })

  it('leaves the focus in the list where both are in view', async () => {
    await showPart('Drawer')
    await expect.element(page.getByRole('complementary', { name: 'Person' })).toBeVisible()
    expect(document.activeElement).toBe(document.body)
  })
})

describe('Disclosure', () => {
  it('is opened by Enter', async () => {
    await showPart('Disclosure')
    await expect.element(page.getByText('Folded at first.')).not.toBeVisible()
    await press('Tab', 'Enter')
    await expect.element(page.getByText('Folded at first.')).toBeVisible()
  })
})

describe('EmptyState', () => {
  it('is announced only if something went wrong', async () => {
    await showPart('EmptyState')
    await expect.element(page.getByRole('alert')).toHaveTextContent('The service is busyCode503 overloaded')
    expect(status().elements()).toHaveLength(0)
  })
})
