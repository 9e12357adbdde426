/** Generates random values of report parameters and computed filters, most of them valid and within the demo data. */
import type { ComputedFilter, NamedParameter, Report } from '@muster/model'
import { addDays, monthOf } from '@muster/model'
import type { Random } from './random.ts'
import { pick } from './random.ts'

/** `words` are values for text parameters. */
export const generateReportQuery = (report: Report, words: readonly string[], random: Random): string => {
  const asOf = randomDay(random)
  let day = addDays(asOf, -random(400))
  const pairs = report.allParameters.flatMap((parameter): [string, string][] => {
    if (parameter.name === 'as_of') return [['as_of', asOf]]
    if (random(3) === 0) return []
    // Each day is later than the one declared before it, so that most periods are valid.
    if (parameter.kind === 'date' || parameter.kind === 'month') day = addDays(day, random(120))
    return [[parameter.name, parameterValue(parameter, day, words, random)]]
  })
  return String(new URLSearchParams(pairs))
}

export const generateComputedValue = (
  { kind, values = [] }: ComputedFilter,
  words: readonly string[],
  random: Random,
): string => {
  switch (kind) {
    case 'date':
      return randomDay(random)
    case 'month-day':
      return randomDay(random).slice('YYYY-'.length)
    case 'id':
      return String(1 + random(300))
    case 'choice':
      return pick(random, values)
    case 'text':
      return pick(random, words)
  }
}

const randomDay = (random: Random): string => addDays('2018-01-01', random(3_600))

const parameterValue = (
  { kind, values = [], minimum = 1, maximum = 300 }: NamedParameter,
  day: string,
  words: readonly string[],
  random: Random,
): string => {
  switch (kind) {
    case 'date':
      return day
    case 'month':
      return monthOf(day)
    case 'id':
      return String(1 + random(300))
    case 'ids':
      return Array.from({ length: 1 + random(20) }, () => 1 + random(300)).join(',')
    case 'texts':
      return Array.from({ length: 1 + random(3) }, () => pick(random, words).replaceAll(',', ',,')).join(',')
    case 'integer':
      return String(minimum + random(maximum - minimum + 1))
    case 'boolean':
      return pick(random, ['true', 'false'])
    case 'choice':
      return pick(random, values)
  }
}
