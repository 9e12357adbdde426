import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isDialogOpen, openDialog } from './dialogs.ts'
import type { KeyCommand } from './keys.ts'
import { createKeyReader } from './keys.ts'
import { areSingleKeysOn } from './preferences.ts'

const screenField = 'main :is(input[type=search], input[role=combobox])'

/** The key commands of all screens. Escape, `j` and `k` belong to the dialogs, drawers and lists themselves. */
export const useKeys = (): void => {
  const navigate = useNavigate()
  useEffect(() => {
    const read = createKeyReader()
    const run = (command: KeyCommand): void => {
      if (command.kind === 'search' || command.kind === 'keys') openDialog(command.kind)
      else if (command.kind === 'screen') void navigate({ to: command.to })
      else if (command.kind === 'field') document.querySelector<HTMLElement>(screenField)?.focus()
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      const isFree = !isTyping(event.target) && document.querySelector('[role=dialog], [role=alertdialog]') === null
      const command = read(event, isFree && areSingleKeysOn())
      if (command === undefined || isDialogOpen()) return
      // Lists would take a letter for the beginning of a name.
      event.stopPropagation()
      event.preventDefault()
      run(command)
    }
    addEventListener('keydown', onKeyDown, { capture: true })
    return () => removeEventListener('keydown', onKeyDown, { capture: true })
  }, [navigate])
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest(
      'textarea, select, [role=textbox], [role=combobox], [role=spinbutton], [role=menu], [role=listbox]',
    ) !== null ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type)))
