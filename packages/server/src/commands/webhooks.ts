import { parseDateTime } from '@muster/model'
import { readProcessConfig } from '../config/config.ts'
import type { Environment } from '../config/read-setting.ts'
import { readSetting } from '../config/read-setting.ts'
import { OperatorError } from '../errors.ts'
import { openLog } from '../observability/log.ts'
import { printable } from '../printable.ts'
import { command, exitCodes, UsageError } from './command.ts'
import { listenForMetrics } from './metrics.ts'
import { shutdownSignal } from './signals.ts'

/** A change is sent at most this long after it becomes visible in the feed. */
const pollMs = 1_000

export const webhooksCommand = command({
  name: 'webhooks',
  summary: 'Send the change feed to other systems.',
  details: [
    'Posts what was created, updated, deleted and erased to the endpoints in the file MUSTER_WEBHOOKS_FILE, signed as Standard Webhooks describes, in order and at least once. See docs/webhooks.md.',
    'Connects as DATABASE_URL. If several processes run, one delivers and the others wait. Metrics are served at MUSTER_METRICS_PORT. SIGTERM and Ctrl-C end the process; the next start continues where it stopped.',
    'An endpoint that responds 410, or fails ten times within 76 hours, gets nothing more until you resume it.',
  ],
  arguments: [],
  options: {
    resume: { type: 'string', value: 'NAME', about: 'Send to this endpoint again, at once, and exit' },
    since: {
      type: 'string',
      value: 'TIME',
      about: 'With --resume: send again everything that changed at or after this time, such as 2026-11-17T08:00:00Z',
    },
  },
  examples: [
    ['webhooks', 'Deliver until Ctrl-C'],
    ['webhooks --resume payroll', 'Continue with an endpoint that works again'],
  ],
  async run({ values: { resume, since }, env, io }) {
    const config = readProcessConfig(env)
    if (config.pooler === 'transaction')
      throw new OperatorError(
        'muster webhooks needs a session of its own: set DATABASE_URL to the database instead of the pooler, and DATABASE_POOLER to none.',
      )
    if (since !== undefined && resume === undefined) throw new UsageError('--since needs --resume NAME.')
    if (resume !== undefined) {
      const { resumeEndpoint } = await import('../webhooks/resume.ts')
      await resumeEndpoint(config.databaseUrl, resume, since === undefined ? undefined : parseSince(since))
      io.stdout.write(`The endpoint "${printable(resume)}" is resumed.\n`)
      return exitCodes.success
    }
    const { readEndpoints } = await import('../webhooks/endpoints.ts')
    const { openWebhookMetrics } = await import('../webhooks/metrics.ts')
    const { runWebhooks } = await import('../webhooks/webhooks.ts')
    const endpoints = readEndpoints(endpointsFile(env))
    const { logger } = openLog(config.logLevel)
    const metrics = openWebhookMetrics(endpoints.map(({ name }) => name))
    const stop = new AbortController()
    void shutdownSignal(() => process.exit(exitCodes.interrupted)).then(() => stop.abort())
    const metricsServer = await listenForMetrics(config.metrics, logger, () => metrics.snapshot())
    const { databaseUrl } = config
    const now = () => new Date()
    await runWebhooks({ databaseUrl, endpoints, logger, metrics, now, pollMs, signal: stop.signal })
    metricsServer?.close()
    return exitCodes.success
  },
})

const parseSince = (text: string): string => {
  const instant = parseDateTime(text)?.instant
  if (instant === undefined)
    throw new UsageError(`--since must be a date-time such as 2026-11-17T08:00:00Z, not "${text}".`)
  return instant
}

const endpointsFile = (env: Environment): string => {
  const file = readSetting(env, 'MUSTER_WEBHOOKS_FILE')
  if (file === undefined)
    throw new OperatorError('MUSTER_WEBHOOKS_FILE is not set: set it to the JSON file that lists the endpoints.')
  return file
}
