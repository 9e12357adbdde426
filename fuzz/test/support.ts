/** In charge of the committed description, for tests of the machine that need no running service. */
import { readFileSync } from 'node:fs'
import type { Contract } from '../contract.ts'
import { contractOf } from '../contract.ts'

export const committedContract = (): Contract =>
  contractOf(JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')))
