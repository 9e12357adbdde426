/** What the open screen does with keys. `use-keys.ts` has the only listener, and `keys.ts` says which keys there are. */
import { useEffect } from 'react'

/** The commands of a list. Each returns whether it has done something; otherwise the key keeps its usual effect. */
interface ListCommands {
  readonly next: () => boolean
  readonly previous: () => boolean
  readonly close?: () => boolean
  readonly back?: () => boolean
}

type KeyCatcher = (event: KeyboardEvent) => boolean

let listCommands: ListCommands | undefined
let catcher: KeyCatcher | undefined

/** Runs the commands of the list that is shown. */
export const useListCommands = (commands: ListCommands): void =>
  useEffect(() => {
    listCommands = commands
    return () => {
      if (listCommands === commands) listCommands = undefined
    }
  }, [commands])

/** Takes the keys before they are read as commands. `take` must be the same function each time. */
export const useKeyCatcher = (take: KeyCatcher): void =>
  useEffect(() => {
    catcher = take
    return () => {
      if (catcher === take) catcher = undefined
    }
  }, [take])

export const runListCommand = (kind: keyof ListCommands): boolean => listCommands?.[kind]?.() ?? false

export const catchKey = (event: KeyboardEvent): boolean => catcher?.(event) ?? false
