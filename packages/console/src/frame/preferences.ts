/** What a reader prefers on this device: theme, density and single-key commands. Everything else is in the URL. */
import { useState } from 'react'

const choices = {
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
  keys: ['on', 'off'],
} as const

export type PreferenceName = keyof typeof choices
export type Preference<N extends PreferenceName> = (typeof choices)[N][number]

const storageKey = (name: PreferenceName): string => `muster.${name}`

/** The first choice is the default. It is also the result if the browser does not allow storage. */
const readPreference = <N extends PreferenceName>(name: N): Preference<N> => {
  const allowed: readonly string[] = choices[name]
  try {
    const value = localStorage.getItem(storageKey(name))
    return (value !== null && allowed.includes(value) ? value : choices[name][0]) as Preference<N>
  } catch {
    return choices[name][0] as Preference<N>
  }
}

/** Whether keys without Ctrl are commands. */
export const areSingleKeysOn = (): boolean => readPreference('keys') === 'on'

const storePreference = <N extends PreferenceName>(name: N, value: Preference<N>): void => {
  try {
    localStorage.setItem(storageKey(name), value)
  } catch {
    // Without storage, the choice holds until the page is closed.
  }
}

/** Sets an attribute such as `data-theme` on <html>, which the design tokens depend on. */
const applyPreference = (name: 'theme' | 'density', value: string): void => {
  if (value === choices[name][0]) delete document.documentElement.dataset[name]
  else document.documentElement.dataset[name] = value
}

export const applyStoredPreferences = (): void => {
  applyPreference('theme', readPreference('theme'))
  applyPreference('density', readPreference('density'))
}

export const usePreference = <N extends PreferenceName>(
  name: N,
): readonly [Preference<N>, (value: Preference<N>) => void] => {
  const [value, setValue] = useState(() => readPreference(name))
  const change = (next: Preference<N>): void => {
    setValue(next)
    storePreference(name, next)
    if (name !== 'keys') applyPreference(name, next)
  }
  return [value, change]
}
