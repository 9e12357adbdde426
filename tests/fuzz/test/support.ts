import { readFileSync } from 'node:fs'
import type { Contract } from '../contract.ts'
import { parseContract } from '../contract.ts'

export const committedContract = (): Contract =>
  parseContract(
    JSON.parse(readFileSync(new URL('../../../packages/model/contract/openapi.json', import.meta.url), 'utf8')),
  )
