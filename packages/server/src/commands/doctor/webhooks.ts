import type { Client } from 'pg'
import type { Environment } from '../../config/read-setting.ts'
import { readSetting } from '../../config/read-setting.ts'
import { OperatorError } from '../../errors.ts'
import { schemaState } from '../../postgres/schema/migrate.ts'
import { readEndpoints } from '../../webhooks/endpoints.ts'
import { maxAttempts } from '../../webhooks/retries.ts'
import type { StoredState } from '../../webhooks/store.ts'
import { loadStates } from '../../webhooks/store.ts'
import { runnerOf, webhooksLock } from '../../webhooks/webhooks.ts'
import type { Finding } from './finding.ts'
import { databaseCheck, ok, wrong } from './finding.ts'

/** Endpoints that get no messages, and whether a process delivers at all. */
export const webhooksCheck = databaseCheck('webhooks', async (client, { env }) => {
  if ((await schemaState(client)).state !== 'current')
    return { verdict: 'unknown', sentence: 'Not checked: the schema is not that of this release.' }
  const fileError = endpointsError(env)
  if (fileError !== undefined) return wrong(fileError)
  const endpoints = (await loadStates(runnerOf(client))).filter(({ status }) => status !== 'removed')
  const isConfigured = readSetting(env, 'MUSTER_WEBHOOKS_FILE') !== undefined
  if (endpoints.length === 0 && !isConfigured) return ok('No webhooks are configured.')
  return (
    stoppedFinding(endpoints) ??
    (await noProcessFinding(client)) ??
    failingFinding(endpoints) ??
    ok(`A process delivers webhooks to ${endpoints.length} ${endpoints.length === 1 ? 'endpoint' : 'endpoints'}.`)
  )
})

/** `muster doctor` may run with the environment of the service, which does not name the file. */
const endpointsError = (env: Environment): string | undefined => {
  const file = readSetting(env, 'MUSTER_WEBHOOKS_FILE')
  try {
    if (file !== undefined) readEndpoints(file)
    return undefined
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
}

const stoppedFinding = (endpoints: readonly StoredState[]): Finding | undefined => {
  const [first, ...others] = endpoints.filter(({ status }) => status !== 'active')
  if (first === undefined) return undefined
  const reason =
    first.status === 'disabled'
      ? 'it responded 410'
      : `${first.attempts} attempts failed, the last with: ${first.lastError}`
  const more = others.length === 0 ? '' : ` So do ${others.map(({ name }) => `"${name}"`).join(', ')}.`
  return wrong(
    `The webhook endpoint "${first.name}" gets no more messages (${reason}).${more}`,
    `npx muster webhooks --resume ${first.name}`,
  )
}

const noProcessFinding = async (client: Client): Promise<Finding | undefined> => {
  const { rowCount } = await client.query(
    `select from pg_locks where locktype = 'advisory' and (classid, objid) = (${webhooksLock}) and granted
     and database = (select oid from pg_database where datname = current_database())`,
  )
  return rowCount === 0 ? wrong('No process delivers webhooks.', 'npx muster webhooks') : undefined
}

const failingFinding = (endpoints: readonly StoredState[]): Finding | undefined => {
  const failing = endpoints.find(({ attempts }) => attempts > 0)
  return (
    failing && {
      verdict: 'advice',
      sentence: `The webhook endpoint "${failing.name}" failed ${failing.attempts} of ${maxAttempts} times (${failing.lastError}); next attempt at ${failing.nextAttemptAt?.toISOString()}.`,
    }
  )
}
