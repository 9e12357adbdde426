/** In charge of undoing what was done, the last of it first. */

export interface Duties {
  /** Remembers how something is ended once it has been started. */
  add(end: () => Promise<unknown>): void
  clear(): Promise<void>
}

export const openDuties = (): Duties => {
  const ends: (() => Promise<unknown>)[] = []
  return {
    add(end) {
      ends.push(end)
    },
    async clear() {
      for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end()
    },
  }
}
