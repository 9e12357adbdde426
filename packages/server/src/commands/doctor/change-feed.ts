import { schemaState } from '../../postgres/schema/migrate.ts'
import { quoteLiteral } from '../../postgres/sql/statement.ts'
import type { OpenTransaction } from '../../queries/change-feed-delay.ts'
import { describeTransaction, readChangeFeedDelay } from '../../queries/change-feed-delay.ts'
import { runnerOf } from '../../webhooks/webhooks.ts'
import { databaseCheck, ok, psqlCommand, wrong } from './finding.ts'

/** A longer delay is reported, as by the alert MusterChangesBehind. */
const maxMinutes = 5

export const changeFeedCheck = databaseCheck('changes', async (client) => {
  if ((await schemaState(client)).state !== 'current')
    return { verdict: 'unknown', sentence: 'Not checked: the schema is not that of this release.' }
  const { behindSeconds, transaction } = await readChangeFeedDelay(runnerOf(client))
  const minutes = Math.floor(behindSeconds / 60)
  if (minutes < maxMinutes || transaction === undefined) return ok('No transaction holds the change feed back.')
  return wrong(
    `The change feed is ${minutes} minutes behind, because of ${describeTransaction(transaction)}: later changes are shown when it ends.`,
    psqlCommand('ADMIN_URL', endSql(transaction)),
  )
})

const endSql = ({ pid, gid }: OpenTransaction): string =>
  pid === undefined ? `rollback prepared ${quoteLiteral(gid)}` : `select pg_terminate_backend(${pid})`
