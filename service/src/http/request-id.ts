/** In charge of the name every request goes by, in its answer and in the log. */
import { randomBytes } from 'node:crypto'

/** One random start per process and a count: unique, short, and free of a call for randomness per request. */
export const requestIds = (): (() => string) => {
  const start = randomBytes(9).toString('base64url')
  let count = 0
  return () => {
    count += 1
    return `${start}-${count.toString(36)}`
  }
}
