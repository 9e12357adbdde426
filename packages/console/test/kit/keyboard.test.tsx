import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { press, showPart, status } from './render.tsx'

const focused = (): string => {
  const element = document.activeElement
  return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
}

describe('Button', () => {
  it('is pressed by Enter and Space, but not while it is disabled', async () => {
    await showPart('Button')
    const button = page.getByRole('button', { name: /^Pressed/ })
    await press('Tab', 'Enter', ' ')
    await expect.element(button).toHaveTextContent('Pressed 2')
    await expect.element(page.getByRole('button', { name: 'Disabled' })).toBeDisabled()
  })
})

describe('IconButton', () => {
  it('that toggles keeps and reports its state', async () => {
    await showPart('IconButton')
    const toggle = page.getByRole('button', { name: /^Show the token/ })
    await expect.element(toggle).toHaveAttribute('aria-pressed', 'false')
    await toggle.click()
    await expect.element(toggle).toHaveAttribute('aria-pressed', 'true')
    await expect.element(toggle).toHaveAccessibleName('Show the token, shown')
  })
})

describe('ToggleGroup', () => {
  for (const [direction, key] of [
    ['ltr', 'ArrowRight'],
    ['rtl', 'ArrowLeft'],
  ] as const)
    it(`is one stop of the Tab key, and ${key} moves on, ${direction}`, async () => {
      await showPart('ToggleGroup', { direction })
      await press('Tab', key, 'Enter')
      await expect.element(page.getByRole('radio', { name: 'Cards' })).toBeChecked()
      await press('Tab')
      expect(focused()).toBe('Tree')
    })
})

describe('Field', () => {
  it('searches when the reader pauses, and Escape empties it', async () => {
    await showPart('Field')
    const field = page.getByRole('searchbox', { name: 'Search people' })
    await field.fill('ada')
    await expect.element(status()).toHaveTextContent('Searched: ada. Row: .')
    await press('Escape')
    await expect.element(field).toHaveValue('')
    await expect.element(status()).toHaveTextContent('Searched: . Row: .')
  })

  it('that is applied with Enter keeps a text that is not accepted', async () => {
    await showPart('Field')
    const field = page.getByRole('textbox', { name: 'Go to row' })
    await field.fill('x')
    await press('Enter')
    await expect.element(field).toHaveValue('x')
    await field.fill('42')
    await press('Enter')
    await expect.element(status()).toHaveTextContent('Searched: . Row: 42.')
    await expect.element(field).toHaveValue('')
  })

  it('says what is wrong with its text', async () => {
    await showPart('Field')
    await expect
      .element(page.getByRole('textbox', { name: 'With a problem' }))
      .toHaveAccessibleDescription('The service does not accept this token.')
  })
})

describe('Select', () => {
  it('is opened by the keyboard, and Enter chooses', async () => {
    await showPart('Select')
    await press('Tab', 'Enter', 'ArrowDown', 'Enter')
    await expect.element(status()).toHaveTextContent('bengaluru, 0, 12')
  })

  it('has a search if the list is long', async () => {
    await showPart('Select')
    await page.getByRole('button', { name: /^Department/ }).click()
    await page.getByRole('searchbox').fill('department 21')
    await expect.poll(() => document.querySelectorAll('[role=option]').length).toBe(1)
    await press('ArrowDown', 'Enter')
    await expect.element(status()).toHaveTextContent('berlin, 21, 12')
  })
})

describe('ComboBox', () => {
  it('finds while somebody types, and Enter takes the first', async () => {
    await showPart('ComboBox')
    await page.getByRole('combobox', { name: 'Find a person' }).fill('ad')
    await expect.element(page.getByRole('option', { name: /^Ada/ })).toBeVisible()
    await press('ArrowDown')
    await expect.poll(() => document.activeElement?.getAttribute('aria-activedescendant')).not.toBeNull()
    await press('Enter')
    await expect.element(status()).toHaveTextContent('Chosen: Ada Ács')
  })

  it('says that nothing was found', async () => {
    await showPart('ComboBox')
    await page.getByRole('combobox', { name: 'Find a person' }).fill('qqq')
    await expect.element(page.getByText('Nobody found')).toBeVisible()
  })
})

describe('OptionList', () => {
  it('filters its options, which the arrow keys reach from the field', async () => {
    await showPart('OptionList')
    await page.getByRole('searchbox', { name: 'Filter by' }).fill('rea')
    await expect.poll(() => document.querySelectorAll('[role=option]').length).toBe(1)
    await press('ArrowDown', 'Enter')
    await expect.element(status()).toHaveTextContent('Chosen: reached')
  })
})

describe('Checkbox', () => {
  it('is changed by Space, and radio buttons by arrow keys', async () => {
    await showPart('Checkbox')
    await press('Tab', ' ', 'Tab', ' ', 'Tab', ' ')
    await expect.element(status()).toHaveTextContent('true, applied, false')
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    await press('ArrowDown')
    await expect.element(status()).toHaveTextContent('true, interview, false')
  })
})

describe('Calendar', () => {
  for (const [direction, key] of [
    ['ltr', 'ArrowRight'],
    ['rtl', 'ArrowLeft'],
  ] as const)
    it(`has the focus on its day, and ${key} moves to the next one, ${direction}`, async () => {
      await showPart('Calendar', { direction })
      await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('button')
      await press(key, 'Enter')
      await expect.element(status()).toHaveTextContent('2026-11-14')
    })
})
