import assert from 'node:assert/strict'

export const waitUntil = async (condition: () => Promise<boolean>, timeoutMs = 10_000): Promise<void> => {
  const deadline = Date.now() + timeoutMs
  while (!(await condition())) assert.ok(Date.now() < deadline, `condition not met in time: ${condition}`)
}
