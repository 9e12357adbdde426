import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

export interface Options {
  readonly caseCount: number
  readonly seed: number
  /** URL of the API, ending in /api. */
  readonly baseUrl: string
  /** URL of a second instance that runs without a write token. */
  readonly baseUrlWithoutToken: string | undefined
  readonly token: string
  /** File to which the results are written as JSON. */
  readonly reportFile: string | undefined
  readonly saveFailures: boolean
  /** Names of the sources to run. Undefined means all of them. */
  readonly sources: readonly string[] | undefined
}

export const usage =
  'node tests/fuzz/run.ts [--cases N] [--seed S] [--sources NAME,NAME] [--base URL --token T] [--report FILE] [--keep-nothing]\n' +
  'Without --base, BASE_URL, BASE_URL_WITHOUT_TOKEN and MUSTER_API_TOKEN name the service;\n' +
  'tools/scripts/with-service.ts sets them: node tools/scripts/with-service.ts node tests/fuzz/run.ts'

export const parseOptions = (args: readonly string[], env: NodeJS.ProcessEnv): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      cases: { type: 'string', default: '9900' },
      seed: { type: 'string' },
      sources: { type: 'string' },
      base: { type: 'string' },
      token: { type: 'string' },
      report: { type: 'string' },
      'keep-nothing': { type: 'boolean', default: false },
    },
  })
  const baseUrl = values.base ?? env.BASE_URL
  const token = values.token ?? env.MUSTER_API_TOKEN
  if (baseUrl === undefined || token === undefined) throw new Error(`No service given.\n${usage}`)
  return {
    caseCount: parseInteger('--cases', values.cases),
    seed: values.seed === undefined ? randomInt(2 ** 31) : parseInteger('--seed', values.seed),
    baseUrl: baseUrl.replace(/\/+$/, ''),
    baseUrlWithoutToken: values.base === undefined ? env.BASE_URL_WITHOUT_TOKEN : undefined,
    token,
    reportFile: values.report,
    saveFailures: !values['keep-nothing'],
    sources: values.sources?.split(','),
  }
}

const parseInteger = (name: string, text: string): number => {
  if (!/^\d{1,12}$/.test(text)) throw new Error(`${name} must be a whole number, not "${text}".\n${usage}`)
  return Number(text)
}
