/** The options of `muster sync` whose values have a form of their own. */
import type { NamedField, Resource } from '@muster/model'
import { date, didYouMean, validateValue } from '@muster/model'
import { readCell } from '../import-export/row-reader.ts'
import { effectiveFields } from '../sync/effective-day.ts'
import type { GoneRule, GoneValue } from '../sync/options.ts'
import { today } from '../sync/options.ts'
import { UsageError } from './command.ts'

const fieldNamed = (name: string, resource: Resource, option: string): NamedField => {
  const field = resource.storedFields.find((candidate) => candidate.name === name)
  if (field !== undefined) return field
  const names = resource.storedFields.map((candidate) => candidate.name)
  throw new UsageError(
    `${option} names the field "${name}", which ${resource.titles} do not have${didYouMean(name, names)}`,
  )
}

export const parseKey = (text: string, resource: Resource): string[] =>
  text.split(',').map((name) => fieldNamed(name, resource, '--key').name)

export const parsePercent = (text: string): number => {
  const percent = /^(\d{1,3})%?$/.exec(text)?.[1]
  if (percent === undefined || Number(percent) > 100)
    throw new UsageError(`--at-most takes a share from 0% to 100%, not "${text}".`)
  return Number(percent)
}

/** The day of `--effective-on`. It needs a field whose changes it dates. */
export const parseEffectiveDay = (text: string, resources: readonly Resource[]): string => {
  const result = validateValue(date(''), text)
  if ('violation' in result) throw new UsageError(`--effective-on takes a day such as 2026-11-01, not "${text}".`)
  if (resources.every((resource) => effectiveFields(resource).length === 0))
    throw new UsageError(
      `--effective-on dates changes of tracked fields, and ${resources.map(({ titles }) => titles).join(', ')} have none: leave it out.`,
    )
  return String(result.stored)
}

/**
 * The rule for each resource: that of its --gone, or else --delete, or else to keep the records. `key` has the fields of
 * --key.
 */
export const parseGone = (
  texts: readonly string[],
  isDelete: boolean,
  resources: readonly Resource[],
  key?: readonly string[],
): ((resource: Resource) => GoneRule) => {
  const rules = new Map<string, GoneRule>()
  for (const text of texts) {
    const { resource, assignments } = splitResource(text, resources)
    if (rules.has(resource.path)) throw new UsageError(`--gone is given twice for ${resource.path}.`)
    rules.set(resource.path, {
      action: 'mark',
      values: assignments.split(',').map((part) => parseValue(part, resource, key)),
    })
  }
  if (isDelete && resources.every(({ path }) => rules.has(path)))
    throw new UsageError('--gone and --delete contradict each other: leave one of them out.')
  const otherRule: GoneRule = { action: isDelete ? 'delete' : 'keep' }
  return ({ path }) => rules.get(path) ?? otherRule
}

const splitResource = (
  text: string,
  resources: readonly Resource[],
): { readonly resource: Resource; readonly assignments: string } => {
  const [, path, rest] = /^([a-z-]+):(.*)$/s.exec(text) ?? []
  const [onlyResource] = resources
  if (path === undefined || rest === undefined) {
    if (resources.length === 1 && onlyResource !== undefined) return { resource: onlyResource, assignments: text }
    throw new UsageError('With several files, --gone begins with the resource: --gone employees:status=terminated.')
  }
  const resource = resources.find((candidate) => candidate.path === path)
  if (resource === undefined)
    throw new UsageError(
      `--gone names ${path}, of which there is no file${didYouMean(
        path,
        resources.map((each) => each.path),
      )}`,
    )
  return { resource, assignments: rest }
}

const parseValue = (part: string, resource: Resource, key: readonly string[] = resource.naturalKey): GoneValue => {
  const [, name, text] = /^(\w+)=(.*)$/s.exec(part) ?? []
  if (name === undefined || text === undefined)
    throw new UsageError(`--gone takes FIELD=VALUE,… such as status=terminated, not "${part}".`)
  const field = fieldNamed(name, resource, '--gone')
  if (field.kind === 'id' || key.includes(name))
    throw new UsageError(`--gone cannot set ${name}, by which records are found.`)
  if (text === 'today' && field.kind === 'date') return { field: name, value: today }
  const result = text === '' ? emptyResult(field) : validateValue(field, readCell(field, text))
  if ('violation' in result) throw new UsageError(`--gone cannot set ${name} to "${text}".`)
  return { field: name, value: result.stored }
}

const emptyResult = (field: NamedField): ReturnType<typeof validateValue> =>
  field.required ? { violation: { type: 'missing' } } : { stored: null }
