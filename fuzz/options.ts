/** In charge of what a run is told: how many cases, which seed, which service. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

export interface Options {
  readonly cases: number
  readonly seed: number
  /** Address of the interface, ending in /api. */
  readonly base: string
  /** The same service without a write token. */
  readonly baseWithoutToken: string | undefined
  readonly token: string
  /** Where to write what was found, for programs. */
  readonly report: string | undefined
  readonly keepsFailures: boolean
}

export const usage =
  'node fuzz/run.ts [--cases N] [--seed S] [--base URL --token T] [--report FILE] [--keep-nothing]\n' +
  'Without --base the service is taken from BASE_URL, BASE_URL_WITHOUT_TOKEN and MUSTER_API_TOKEN,\n' +
  'which scripts/with-service.ts sets: node scripts/with-service.ts node fuzz/run.ts'

export const readOptions = (args: readonly string[], env: NodeJS.ProcessEnv): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      cases: { type: 'string', default: '9900' },
      seed: { type: 'string' },
      base: { type: 'string' },
      token: { type: 'string' },
      report: { type: 'string' },
      'keep-nothing': { type: 'boolean', default: false },
    },
  })
  const base = values.base ?? env.BASE_URL
  const token = values.token ?? env.MUSTER_API_TOKEN
  if (base === undefined || token === undefined) throw new Error(`Say which service to prove.\n${usage}`)
  return {
    cases: wholeNumber('--cases', values.cases),
    seed: values.seed === undefined ? randomInt(2 ** 31) : wholeNumber('--seed', values.seed),
    base: base.replace(/\/+$/, ''),
    baseWithoutToken: values.base === undefined ? env.BASE_URL_WITHOUT_TOKEN : undefined,
    token,
    report: values.report,
    keepsFailures: !values['keep-nothing'],
  }
}

const wholeNumber = (name: string, text: string): number => {
  if (!/^\d{1,12}$/.test(text)) throw new Error(`${name} should be a whole number, and is "${text}".\n${usage}`)
  return Number(text)
}
