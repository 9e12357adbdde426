import type { ScreenPath } from './screens.ts'
import { screens } from './screens.ts'

export type KeyCommand =
  | { readonly kind: 'search' }
  | { readonly kind: 'keys' }
  /** Moves the focus to the search field of the screen. */
  | { readonly kind: 'field' }
  | { readonly kind: 'screen'; readonly to: ScreenPath }
  /** The first key of two. */
  | { readonly kind: 'prefix' }

interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  /** In milliseconds. */
  readonly timeStamp: number
}

/** The second key of two must follow within this time. */
const sequenceMs = 1_500

const commands: Readonly<Record<string, KeyCommand>> = {
  '/': { kind: 'search' },
  '?': { kind: 'keys' },
  f: { kind: 'field' },
  g: { kind: 'prefix' },
}

/**
 * Returns a function that reads one key press after the other. `singleKeys` says whether keys without Ctrl are commands:
 * not while somebody types, and not if the reader has turned them off.
 */
export const createKeyReader = (): ((press: KeyPress, singleKeys: boolean) => KeyCommand | undefined) => {
  let prefixAt = Number.NEGATIVE_INFINITY
  return ({ key, ctrlKey, metaKey, altKey, timeStamp }, singleKeys) => {
    const isSecond = timeStamp - prefixAt <= sequenceMs
    prefixAt = Number.NEGATIVE_INFINITY
    if (altKey) return undefined
    if (ctrlKey || metaKey) return key.toLowerCase() === 'k' ? { kind: 'search' } : undefined
    if (!singleKeys) return undefined
    const screen = isSecond ? screens.find((entry) => entry.key === key) : undefined
    if (screen !== undefined) return { kind: 'screen', to: screen.to }
    const command = Object.hasOwn(commands, key) ? commands[key] : undefined
    if (command?.kind === 'prefix') prefixAt = timeStamp
    return command
  }
}
