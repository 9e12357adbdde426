/** In charge of asking Debian's promtool: whether a text is good exposition, and which alerts captured series raise. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Capture } from './capture.ts'
import { inputSeries } from './capture.ts'

export const rulesFile = fileURLToPath(new URL('alerts.yaml', import.meta.url))
const stepSeconds = 15

export interface Expectation {
  /** The step at whose end it is looked at. */
  readonly step: number
  /** An alert that fires by then; none at all, not even a pending one, where undefined. */
  readonly fires: string | undefined
}

export interface Verdict {
  readonly passed: boolean
  readonly said: string
}

export const checkMetrics = (text: string): Verdict => run(['check', 'metrics'], text)

/** Replays the series against the rules, one scrape every 15 seconds. */
export const testRules = (scrapes: Capture, expectations: readonly Expectation[]): Verdict => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-alerts-'))
  const file = join(folder, 'test.yaml')
  const test = {
    rule_files: [rulesFile],
    evaluation_interval: `${stepSeconds}s`,
    tests: [
      {
        interval: `${stepSeconds}s`,
        input_series: inputSeries(scrapes),
        promql_expr_test: expectations.map(({ step, fires }) => ({
          expr: fires === undefined ? 'ALERTS' : `count(ALERTS{alertname="${fires}",alertstate="firing"}) > bool 0`,
          eval_time: `${step * stepSeconds}s`,
          exp_samples: fires === undefined ? [] : [{ labels: '{}', value: 1 }],
        })),
      },
    ],
  }
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(test))
  const verdict = run(['test', 'rules', file])
  rmSync(folder, { recursive: true })
  return verdict
}

const run = (args: readonly string[], input = ''): Verdict => {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  if (error !== undefined) throw error
  return { passed: status === 0, said: `${stdout}${stderr}` }
}
