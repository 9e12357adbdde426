import { setProcessMetrics } from '../observability/metrics.ts'
import type { Snapshot } from '../observability/registry.ts'
import { count, Registry } from '../observability/registry.ts'
import type { EndpointState } from './endpoint-state.ts'
import { timestampOf } from './messages.ts'
import type { Attempt } from './post.ts'

export interface WebhookMetrics {
  /** Whether this process delivers, or waits for another one to end. */
  setActive(isActive: boolean): void
  /** How far the change feed is behind: changes that it does not show yet cannot be delivered. Undefined if unknown. */
  setChangesBehind(seconds: number | undefined): void
  countAttempt(endpoint: string, outcome: Attempt['outcome']): void
  showState(endpoint: string, state: EndpointState, now: Date): void
  snapshot(): Snapshot
}

export const openWebhookMetrics = (endpoints: readonly string[]): WebhookMetrics => {
  const registry = new Registry()
  const setActive = (isActive: boolean): void => {
    registry.set('webhooksActive', isActive ? 1 : 0)
    if (isActive) return
    // Only the active process knows these values.
    registry.set('changesBehind', 0)
    for (const endpoint of endpoints) {
      registry.set('webhookStopped', 0, endpoint)
      registry.set('webhookLag', 0, endpoint)
    }
  }
  setActive(false)
  // All series exist from the start, so that Prometheus sees the first attempt as an increase.
  for (const endpoint of endpoints)
    for (const outcome of ['delivered', 'failed']) registry.at('webhookAttempts', endpoint, outcome)
  return {
    setActive,
    setChangesBehind: (seconds) => registry.set('changesBehind', seconds),
    countAttempt: (endpoint, outcome) =>
      count(registry.at('webhookAttempts', endpoint, outcome === 'delivered' ? 'delivered' : 'failed')),
    showState(endpoint, { status, message }, now) {
      registry.set('webhookStopped', status === 'active' ? 0 : 1, endpoint)
      const lagMs = message === undefined ? 0 : now.getTime() - timestampOf(message).getTime()
      registry.set('webhookLag', Math.max(lagMs, 0) / 1_000, endpoint)
    },
    snapshot() {
      setProcessMetrics(registry)
      return registry.snapshot()
    },
  }
}
