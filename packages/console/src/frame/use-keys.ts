import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isDialogOpen, openDialog } from './dialogs.ts'
import { catchKey, runListCommand } from './key-handlers.ts'
import type { KeyCommand } from './keys.ts'
import { createKeyReader } from './keys.ts'
import { areSingleKeysOn } from './preferences.ts'

const screenField = 'main :is(input[type=search], input[role=combobox])'

/** The only listener for the keys in `keys.ts`. */
export const useKeys = (): void => {
  const navigate = useNavigate()
  useEffect(() => {
    const read = createKeyReader()
    /** Returns whether the key has no other effect. */
    const run = (command: KeyCommand, event: KeyboardEvent): boolean => {
      if (command.kind === 'next' || command.kind === 'previous') return runListCommand(command.kind)
      if (command.kind === 'close') {
        runListCommand('close')
        return false
      }
      // Holding a key down opens a dialog or a screen once.
      if (event.repeat || isDialogOpen()) return false
      if (command.kind === 'back') return runListCommand('back')
      if (command.kind === 'search' || command.kind === 'keys') openDialog(command.kind)
      else if (command.kind === 'screen') void navigate({ to: command.to })
      else if (command.kind === 'field') document.querySelector<HTMLElement>(screenField)?.focus()
      return true
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return
      const isTaken = catchKey(event) || isRun(event)
      if (!isTaken) return
      // Lists would take a letter for the beginning of a name.
      event.stopPropagation()
      event.preventDefault()
    }
    const isRun = (event: KeyboardEvent): boolean => {
      const isFree = !isTyping(event.target) && document.querySelector(dialogs) === null
      const command = read(event, isFree && areSingleKeysOn())
      if (command === undefined || (command.kind === 'close' && !isFree)) return false
      return run(command, event)
    }
    addEventListener('keydown', onKeyDown, { capture: true })
    return () => removeEventListener('keydown', onKeyDown, { capture: true })
  }, [navigate])
}

const dialogs = '[role=dialog], [role=alertdialog]'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest(
      'textarea, select, [role=textbox], [role=combobox], [role=spinbutton], [role=menu], [role=listbox]',
    ) !== null ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type)))
