/** In charge of the text that Prometheus reads. */
import type { Family, FamilyKey } from './families.ts'
import { families } from './families.ts'
import type { Snapshot } from './registry.ts'
import { boundsOf } from './registry.ts'

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

export const exposition = (snapshot: Snapshot): string =>
  (Object.keys(families) as FamilyKey[])
    .map((key) => {
      const family: Family = families[key]
      const lines = Object.entries(snapshot[key] ?? {}).flatMap(([labels, values]) => linesOf(family, labels, values))
      return [`# HELP ${family.name} ${family.help}`, `# TYPE ${family.name} ${family.kind}`, ...lines, ''].join('\n')
    })
    .join('')

const linesOf = (family: Family, labels: string, values: readonly number[]): string[] => {
  if (family.kind !== 'histogram') return [`${family.name}${inBraces(labels)} ${values[0]}`]
  let total = 0
  const buckets = [...boundsOf(family), '+Inf'].map((bound, place) => {
    total += values[place] ?? 0
    return `${family.name}_bucket${inBraces(labels, `le="${bound}"`)} ${total}`
  })
  return [
    ...buckets,
    `${family.name}_sum${inBraces(labels)} ${values.at(-1)}`,
    `${family.name}_count${inBraces(labels)} ${total}`,
  ]
}

const inBraces = (...labels: readonly string[]): string => {
  const given = labels.filter((label) => label !== '')
  return given.length === 0 ? '' : `{${given.join(',')}}`
}
