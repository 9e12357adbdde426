/** Wraps the global `fetch` and records the requests sent with it. */
export interface RecordedRequest {
  readonly url: string
  readonly headers: Headers
  /** Status of the response; undefined until there is a response. */
  status?: number
}

export const recordRequests = (): { fetch: typeof globalThis.fetch; requests: RecordedRequest[] } => {
  const requests: RecordedRequest[] = []
  return {
    requests,
    fetch: async (input, init) => {
      const request: RecordedRequest = { url: String(input), headers: new Headers(init?.headers) }
      requests.push(request)
      const response = await fetch(input, init)
      request.status = response.status
      return response
    },
  }
}
