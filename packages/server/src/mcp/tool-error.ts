/** A failed call that the agent can understand: it becomes the result of the tool. */
export class ToolError extends Error {
  readonly details: Readonly<Record<string, unknown>>

  constructor(message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.details = details
  }
}
