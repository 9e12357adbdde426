import type { Environment } from '../../config/read-setting.ts'
import { readSetting } from '../../config/read-setting.ts'
import { hasTokens, readTokens } from '../../config/tokens.ts'
import { schemaState } from '../../postgres/schema/migrate.ts'
import { hasRealEmails } from '../../privacy/real-emails.ts'
import { runnerOf } from '../../webhooks/webhooks.ts'
import { databaseCheck, ok, wrong } from './finding.ts'

/** Public reads are for invented data: records of real people must not be readable by everyone. */
export const readAccessCheck = databaseCheck('privacy', async (client, { env }) => {
  const reads = readSetting(env, 'MUSTER_READS')
  if (reads === 'redacted' || reads === 'token') return ok(`Personal fields need a token (MUSTER_READS is ${reads}).`)
  const { state } = await schemaState(client)
  if (state !== 'current' && state !== 'expanded')
    return { verdict: 'unknown', sentence: 'Not checked: the schema is not that of this release.' }
  if (!(await hasRealEmails(runnerOf(client))))
    return ok('Everyone may read all records, but no e-mail address belongs to a real domain.')
  return wrong(
    'Everyone who can reach the service may read all records (MUSTER_READS is public), and some e-mail addresses may belong to real people.',
    `export MUSTER_READS=redacted${hasToken(env) ? '' : ' MUSTER_READ_TOKEN="$(openssl rand -hex 32)"'}`,
  )
})

/** Also true if the tokens cannot be read, which the check "configuration" reports. */
const hasToken = (env: Environment): boolean => {
  try {
    return hasTokens(readTokens(env))
  } catch {
    return true
  }
}
