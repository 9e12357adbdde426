/**
 * The token in `sessionStorage`, for readers who chose to keep it until the tab is closed. The time of the last activity
 * is kept with it: a tab that the browser restores later must not revive a token that should have been forgotten.
 */
const tokenKey = 'muster.token'
const activityKey = 'muster.token.activity'

/** The token is forgotten after this time without a key press, click or scroll. */
export const idleMs = 30 * 60_000

export const readStoredToken = (storage: Storage, now: number): string | undefined => {
  const token = storage.getItem(tokenKey)
  if (token === null) return undefined
  if (now - Number(storage.getItem(activityKey)) < idleMs) return token
  removeStoredToken(storage)
  return undefined
}

export const storeToken = (storage: Storage, token: string, now: number): void => {
  storage.setItem(tokenKey, token)
  storage.setItem(activityKey, String(now))
}

/** Notes that the reader was active, if the token is stored. */
export const storeActivity = (storage: Storage, now: number): void => {
  if (storage.getItem(tokenKey) !== null) storage.setItem(activityKey, String(now))
}

export const removeStoredToken = (storage: Storage): void => {
  storage.removeItem(tokenKey)
  storage.removeItem(activityKey)
}
