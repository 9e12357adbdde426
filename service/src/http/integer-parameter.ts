/** In charge of reading an integer as text the way Pydantic does, because clients of such services parse that shape. */
import type { Flaw } from '@muster/model'
import { maxIntegerDigits } from '@muster/model'

export interface Bounds {
  readonly ge?: number
  readonly le?: number
}

const shape = /^\s*([+-]?)(\d+(?:_\d+)*)(?:\.0+)?\s*$/

export const readInteger = (text: string, { ge, le }: Bounds = {}): { value: bigint } | { flaw: Flaw } => {
  const match = shape.exec(text)
  if (match === null) return { flaw: { type: 'int_parsing' } }
  const digits = (match[2] ?? '').replaceAll('_', '')
  if (digits.length > maxIntegerDigits) return { flaw: { type: 'int_parsing_size' } }
  const value = match[1] === '-' ? -BigInt(digits) : BigInt(digits)
  if (ge !== undefined && value < ge) return { flaw: { type: 'greater_than_equal', ctx: { ge } } }
  if (le !== undefined && value > le) return { flaw: { type: 'less_than_equal', ctx: { le } } }
  return { value }
}
