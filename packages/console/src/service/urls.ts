/**
 * The URLs of the console and of the API. They are derived from the URL of the script, so that the console works under
 * any path prefix of a reverse proxy.
 */
export const consoleUrl = import.meta.env.DEV
  ? new URL('/', location.href)
  : new URL(/* @vite-ignore */ '..', import.meta.url)

export const apiUrl = new URL(import.meta.env.DEV ? '/api' : '../api', consoleUrl)
