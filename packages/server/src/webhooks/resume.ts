import { didYouMean } from '@muster/model'
import { OperatorError } from '../errors.ts'
import { requireSchema } from '../postgres/schema/migrate.ts'
import { readCursorSince } from '../queries/changes.ts'
import { resumed, stateAt } from './endpoint-state.ts'
import { loadStates, updateState } from './store.ts'
import { runnerOf, withWebhookSession } from './webhooks.ts'

/**
 * Sends to an endpoint again, from where it stopped or from an instant on. A running process notices it when it reads the
 * state of the endpoint the next time.
 */
export const resumeEndpoint = (databaseUrl: string, name: string, since: string | undefined): Promise<void> =>
  withWebhookSession(databaseUrl, async (client) => {
    await requireSchema(client, ['expanded'])
    const database = runnerOf(client)
    const cursor = since === undefined ? undefined : await readCursorSince(database, since)
    for (;;) {
      const states = (await loadStates(database)).filter(({ status }) => status !== 'removed')
      const stored = states.find((state) => state.name === name)
      if (stored === undefined)
        throw new OperatorError(
          `"muster webhooks" has not run with an endpoint "${name}"${didYouMean(
            name,
            states.map((state) => state.name),
          )}`,
        )
      if (await updateState(database, stored, cursor === undefined ? resumed(stored) : stateAt(cursor))) return
    }
  })
