import type { MetricDefinition, MetricKey } from './metric-definitions.ts'
import { metricDefinitions } from './metric-definitions.ts'
import type { Snapshot } from './registry.ts'
import { bucketBounds } from './registry.ts'

export const prometheusContentType = 'text/plain; version=0.0.4; charset=utf-8'

export const prometheusText = (snapshot: Snapshot): string =>
  (Object.keys(metricDefinitions) as MetricKey[])
    .map((key) => {
      const definition: MetricDefinition = metricDefinitions[key]
      const lines = Object.entries(snapshot[key] ?? {}).flatMap(([labels, values]) =>
        linesOf(definition, labels, values),
      )
      return [
        `# HELP ${definition.name} ${definition.help}`,
        `# TYPE ${definition.name} ${definition.kind}`,
        ...lines,
        '',
      ].join('\n')
    })
    .join('')

const linesOf = (definition: MetricDefinition, labels: string, values: readonly number[]): string[] => {
  if (definition.kind !== 'histogram') return [`${definition.name}${inBraces(labels)} ${values[0]}`]
  let total = 0
  const buckets = [...bucketBounds(definition), '+Inf'].map((bound, index) => {
    total += values[index] ?? 0
    return `${definition.name}_bucket${inBraces(labels, `le="${bound}"`)} ${total}`
  })
  return [
    ...buckets,
    `${definition.name}_sum${inBraces(labels)} ${values.at(-1)}`,
    `${definition.name}_count${inBraces(labels)} ${total}`,
  ]
}

const inBraces = (...labels: readonly string[]): string => {
  const presentLabels = labels.filter((label) => label !== '')
  return presentLabels.length === 0 ? '' : `{${presentLabels.join(',')}}`
}
