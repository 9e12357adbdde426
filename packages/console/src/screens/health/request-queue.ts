/** Runs a task when its turn comes. If the signal is aborted before that, the task never runs. */
type RequestQueue = <T>(task: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** A first-in, first-out queue that runs at most `limit` tasks at once. */
export const createRequestQueue = (limit: number): RequestQueue => {
  let running = 0
  const waiting: (() => void)[] = []

  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(start), 1)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.push(start)
    })

  return async (task, signal) => {
    signal.throwIfAborted()
    // A finished task hands its place to the next one, so that `running` does not change in between.
    if (running < limit) running += 1
    else await turn(signal)
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
