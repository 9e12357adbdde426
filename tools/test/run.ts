/** The command `npm test -- [SUITE] [arguments]`. */
import { forwardSignals } from '../scripts/run-program.ts'
import { runSuite } from './run-suite.ts'
import { suites } from './suites.ts'

const [name = 'unit', ...args] = process.argv.slice(2)
const suite = suites[name]
if (name === '--list') {
  for (const [suiteName, { about }] of Object.entries(suites)) console.log(`${suiteName.padEnd(16)} ${about}`)
} else if (suite === undefined) {
  console.error(`There is no test suite "${name}". Suites: ${Object.keys(suites).join(', ')}.`)
  process.exitCode = 2
} else {
  forwardSignals()
  const { succeeded } = await runSuite(name, suite, args, (text) => process.stdout.write(text))
  process.exitCode = succeeded ? 0 : 1
}
