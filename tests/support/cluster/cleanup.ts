export interface Cleanup {
  /** Registers a function for `clear`, which calls the functions in reverse order. */
  add(cleanup: () => Promise<unknown>): void
  clear(): Promise<void>
}

export const openCleanup = (): Cleanup => {
  const cleanups: (() => Promise<unknown>)[] = []
  return {
    add(cleanup) {
      cleanups.push(cleanup)
    },
    async clear() {
      for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) await cleanup()
    },
  }
}
