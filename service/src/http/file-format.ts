/** In charge of the form a list is answered in: as its parameter says, else as the client accepts; JSON unless a file is asked for. */
import type { FileFormat, Flaw } from '@muster/model'
import { fileFormats, fileTypes, listFormats } from '@muster/model'
import { jsonType } from './answers.ts'
import type { Parameters } from './query-string.ts'

/** Undefined where the answer is to be JSON. */
export const readFileFormat = (parameters: Parameters, accept: string | undefined): FileFormat | undefined => {
  const named = nameIn(parameters)
  return named === undefined ? acceptedFormat(accept) : fileFormats.find((format) => format === named)
}

/** What is wrong with the parameter, if anything is. */
export const formatFlaw = (parameters: Parameters): Flaw | undefined => {
  const named = nameIn(parameters)
  if (parameters.get('format')?.isUnicode === false) return { type: 'string_unicode' }
  const isKnown = named === undefined || listFormats.some((format) => format === named)
  return isKnown ? undefined : { type: 'literal_error', ctx: { expected: listFormats.join(', ') } }
}

/** Blank asks for nothing. */
const nameIn = (parameters: Parameters): string | undefined => {
  const text = parameters.get('format')?.text
  return text?.trim() === '' ? undefined : text
}

/** Whoever does not name the type of a file is never given one. */
export const mayWantFile = (accept: string | undefined): boolean => accept !== undefined && /\/csv|ndjson/i.test(accept)

/** The one wanted most. Against JSON it must weigh more where that is named too, else as much as what JSON goes under. */
const acceptedFormat = (accept = ''): FileFormat | undefined => {
  if (!mayWantFile(accept)) return undefined
  const weights = new Map(accept.split(',').map(readRange))
  const weightOf = (type: string): number => weights.get(type) ?? 0
  const best = fileFormats.reduce((one, other) => (weightOf(fileTypes[other]) > weightOf(fileTypes[one]) ? other : one))
  const weight = weightOf(fileTypes[best])
  const json = weights.get(jsonType)
  const wins = json === undefined ? weight >= Math.max(weightOf('application/*'), weightOf('*/*')) : weight > json
  return weight > 0 && wins ? best : undefined
}

const readRange = (range: string): [type: string, weight: number] => {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  return [type, Number.parseFloat(given) || 0]
}
