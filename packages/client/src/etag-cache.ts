export interface CachedResponse {
  readonly etag: string
  readonly text: string
}

export interface EtagCache {
  get(url: string): CachedResponse | undefined
  set(url: string, response: CachedResponse): void
}

/**
 * Keeps the most recently used responses. It keeps them as text, because callers may change the objects parsed from it.
 */
export const createEtagCache = (maxEntries: number): EtagCache => {
  const entries = new Map<string, CachedResponse>()
  const set = (url: string, response: CachedResponse): void => {
    entries.delete(url)
    entries.set(url, response)
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries) break
      entries.delete(oldest)
    }
  }
  return {
    get(url) {
      const response = entries.get(url)
      if (response !== undefined) set(url, response)
      return response
    },
    set,
  }
}
