import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CapturedScrapes } from './capture.ts'
import { inputSeries } from './capture.ts'

export const rulesFile = fileURLToPath(new URL('../../../deploy/observability/alerts.yaml', import.meta.url))
const stepSeconds = 15

export interface AlertExpectation {
  /** Number of the step at whose end the alert rules are evaluated. */
  readonly step: number
  /** Name of the alert that must fire. Undefined means that no alert may fire. */
  readonly expectedAlert: string | undefined
  /** With `expectedAlert: undefined`: an alert that may fire nevertheless. */
  readonly ignoredAlert?: string
}

export interface PromtoolResult {
  readonly passed: boolean
  readonly output: string
}

export const checkMetrics = (text: string): PromtoolResult => runPromtool(['check', 'metrics'], text)

/** Runs `promtool test rules` on the captured scrapes, as if they were 15 seconds apart. */
export const testRules = (scrapes: CapturedScrapes, expectations: readonly AlertExpectation[]): PromtoolResult => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-alerts-'))
  const testFile = join(folder, 'test.yaml')
  const testDefinition = {
    rule_files: [rulesFile],
    evaluation_interval: `${stepSeconds}s`,
    tests: [
      {
        interval: `${stepSeconds}s`,
        input_series: inputSeries(scrapes),
        promql_expr_test: expectations.map(({ step, expectedAlert, ignoredAlert = '' }) => ({
          expr:
            expectedAlert === undefined
              ? `ALERTS{alertstate="firing",alertname!="${ignoredAlert}"}`
              : `count(ALERTS{alertname="${expectedAlert}",alertstate="firing"}) > bool 0`,
          eval_time: `${step * stepSeconds}s`,
          exp_samples: expectedAlert === undefined ? [] : [{ labels: '{}', value: 1 }],
        })),
      },
    ],
  }
  // promtool expects YAML, and every JSON document is valid YAML.
  writeFileSync(testFile, JSON.stringify(testDefinition))
  const result = runPromtool(['test', 'rules', testFile])
  rmSync(folder, { recursive: true })
  return result
}

const runPromtool = (args: readonly string[], input = ''): PromtoolResult => {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  if (error !== undefined) throw error
  return { passed: status === 0, output: `${stdout}${stderr}` }
}
