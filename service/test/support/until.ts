/** In charge of waiting in a test: asks until it is so, and gives up loudly. */
import assert from 'node:assert/strict'

export const until = async (holds: () => Promise<boolean>, patienceMs = 10_000): Promise<void> => {
  const deadline = Date.now() + patienceMs
  while (!(await holds())) assert.ok(Date.now() < deadline, `never came true: ${holds}`)
}
