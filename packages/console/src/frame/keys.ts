import type { PlainPath } from './screens.ts'
import { mainScreens } from './screens.ts'

export type KeyCommand =
  | { readonly kind: 'search' }
  | { readonly kind: 'keys' }
  /** Moves the focus to the search field of the screen. */
  | { readonly kind: 'field' }
  | { readonly kind: 'screen'; readonly to: PlainPath }
  /** The first key of two. */
  | { readonly kind: 'prefix' }
  /** The commands of a list. */
  | { readonly kind: 'next' | 'previous' | 'close' | 'back' }

interface KeyEntry {
  readonly label: string
  /** The keys as they are shown; those pressed together in one list. */
  readonly keys: readonly string[]
  readonly or?: readonly string[]
  /** The command of a single key. Keys without a command are handled by the widget that has the focus. */
  readonly single?: string
  readonly command?: KeyCommand
  /** Whether the command is run while somebody types, and if the reader has turned single keys off. */
  readonly isAlways?: true
}

interface KeyGroup {
  readonly title: string
  readonly entries: readonly KeyEntry[]
}

/** All keys except those of the screens. */
export const keyGroups: readonly KeyGroup[] = [
  {
    title: 'Everywhere',
    entries: [
      { label: 'Search', keys: ['/'], or: ['Ctrl', 'K'], single: '/', command: { kind: 'search' } },
      { label: 'Go to the search field of the screen', keys: ['f'], single: 'f', command: { kind: 'field' } },
      { label: 'Show these keys', keys: ['?'], single: '?', command: { kind: 'keys' } },
      { label: 'Close what is open', keys: ['Esc'], single: 'Escape', command: { kind: 'close' }, isAlways: true },
    ],
  },
  {
    title: 'Lists and trees',
    entries: [
      { label: 'Next row', keys: ['j'], or: ['↓'], single: 'j', command: { kind: 'next' } },
      { label: 'Previous row', keys: ['k'], or: ['↑'], single: 'k', command: { kind: 'previous' } },
      { label: 'Open', keys: ['Enter'] },
      {
        label: 'Back to the screen from which the list was opened',
        keys: ['b'],
        single: 'b',
        command: { kind: 'back' },
      },
      { label: 'Collapse or expand', keys: ['←'], or: ['→'] },
    ],
  },
  {
    title: 'Charts',
    entries: [
      { label: 'Previous or next mark', keys: ['←'], or: ['→'] },
      { label: 'First or last mark', keys: ['Home'], or: ['End'] },
      { label: 'Open the rows behind a mark', keys: ['Enter'] },
    ],
  },
]

/** The first of the two keys that open a screen. The second one is in the list of screens. */
export const screenPrefix = 'g'

const singleKeys: ReadonlyMap<string, KeyEntry> = new Map(
  keyGroups.flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.single === undefined ? [] : [[entry.single, entry] as const])),
  ),
)

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

/**
 * Returns a function that reads one key press after the other. `areSingleKeysOn` says whether letters and signs without
 * Ctrl are commands: not while somebody types, and not if the reader has turned them off.
 */
export const createKeyReader = (): ((press: KeyPress, areSingleKeysOn: boolean) => KeyCommand | undefined) => {
  let prefixAt = Number.NEGATIVE_INFINITY
  return ({ key, ctrlKey, metaKey, altKey, timeStamp }, areSingleKeysOn) => {
    const isSecond = timeStamp - prefixAt <= sequenceMs
    prefixAt = Number.NEGATIVE_INFINITY
    if (altKey) return undefined
    if (ctrlKey || metaKey) return key.toLowerCase() === 'k' ? { kind: 'search' } : undefined
    const entry = singleKeys.get(key)
    if (!areSingleKeysOn) return entry?.isAlways === true ? entry.command : undefined
    const screen = isSecond ? mainScreens.find((candidate) => candidate.key === key) : undefined
    if (screen !== undefined) return { kind: 'screen', to: screen.path }
    if (key !== screenPrefix) return entry?.command
    prefixAt = timeStamp
    return { kind: 'prefix' }
  }
}
