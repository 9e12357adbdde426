/** Generates the parts of documents that list resources, fields or commands. They lie between two comments. */
import { readFile } from 'node:fs/promises'
import type { FieldKind, NamedField, Resource } from '@muster/model'
import { isStored, listedResources, resources } from '@muster/model'
import { commandHelp } from '../../packages/server/src/commands/help.ts'
import { commands } from '../../packages/server/src/commands/program.ts'
import { biViewName } from '../../packages/server/src/postgres/schema/bi-views.ts'

type Cells = readonly string[]

const line = (cells: Cells): string => `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`

const table = (header: Cells, ...rows: readonly Cells[]): string =>
  [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n')

const code = (text: string | number): string => `\`${text}\``
const codes = (fields: readonly { readonly name: string }[]): string => fields.map(({ name }) => code(name)).join(', ')

const uniqueFields = (names: readonly string[]): string => {
  const within = names.slice(0, -1).map(code).join(' and ')
  return `${code(names.at(-1) ?? '')}${within === '' ? '' : ` per ${within}`}`
}

const resourceTable = (): string =>
  table(
    ['Resource', 'Records', 'Create', 'Unique'],
    ...resources.map(({ path, about, creatable, unique }) => [
      code(path),
      about.replace(/\.$/, ''),
      creatable ? 'yes' : '',
      unique.map(uniqueFields).join(', '),
    ]),
  )

const filterTable = (): string => {
  const filtersOf = ({ filterableFields }: Resource, kind: FieldKind) =>
    codes(filterableFields.filter((field) => field.kind === kind))
  return table(
    ['Resource', 'Text', 'Reference', 'Integer'],
    ...listedResources.map((resource) => [
      code(resource.path),
      filtersOf(resource, 'text'),
      filtersOf(resource, 'reference'),
      filtersOf(resource, 'integer'),
    ]),
  )
}

const relationTable = (): string =>
  table(
    ['Resource', 'Names (and the reference fields)'],
    ...resources
      .filter(({ relations }) => relations.length > 0)
      .map(({ path, relations }) => [
        code(path),
        relations.map(({ name, field }) => `${code(name)} (${code(field.name)})`).join(', '),
      ]),
  )

const defaultTable = (): string => {
  const rows = resources.flatMap(({ path, writableFields }) =>
    writableFields.flatMap(({ name, default: value, today }): Cells[] => {
      if (today) return [[code(`${path}.${name}`), 'today in UTC, by the clock of the database', code('null')]]
      return value === undefined ? [] : [[code(`${path}.${name}`), code(value), code(value)]]
    }),
  )
  return table(
    ['Field', 'If omitted', 'If `null`'],
    ...rows,
    ['`created`, `updated`', 'now, in whole seconds', 'not accepted in a body'],
    ['all others', '`null`', '`null`'],
  )
}

const personalFields = ({ allFields }: Resource): NamedField[] => allFields.filter(({ personal }) => personal)

const personalTable = (): string =>
  table(
    ['Resource', 'Personal fields'],
    ...resources
      .filter((resource) => personalFields(resource).length > 0)
      .map((resource) => [code(resource.path), codes(personalFields(resource))]),
  )

const viewTable = (): string =>
  table(
    ['View', 'Resource', 'Without these fields'],
    ...listedResources.map((resource) => [
      code(biViewName(resource)),
      resource.path,
      codes(resource.allFields.filter((field) => field.personal || !isStored(field))),
    ]),
  )

const keyTable = (): string =>
  table(
    ['Resource', 'Natural key'],
    ...resources.map(({ path, naturalKey }) => [path, naturalKey.map(code).join(', ')]),
  )

const helpSections = Object.fromEntries(
  commands
    .filter((command) => command.arguments.some(({ name }) => name === 'resource'))
    .map((command): [string, () => string] => [
      `help of ${command.name}`,
      () => `\`\`\`\n${commandHelp(command)}\n\`\`\``,
    ]),
)

/** The generated sections of each document, by the name in their comments. */
const sections: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/interface.md': {
    resources: resourceTable,
    filters: filterTable,
    'related records': relationTable,
    defaults: defaultTable,
    'personal fields': personalTable,
  },
  'docs/bi-views.md': { views: viewTable },
  'docs/command-line.md': { ...helpSections, 'natural keys': keyTable },
}

/** Replaces the text between `<!-- generated: NAME -->` and `<!-- end -->`. */
export const replaceSection = (document: string, name: string, text: string): string => {
  const [before = '', ...after] = document.split(`<!-- generated: ${name} -->\n`)
  const end = after[0]?.indexOf('<!-- end -->') ?? -1
  if (after.length !== 1 || end < 0) throw new Error(`The document has no single section "generated: ${name}".`)
  return `${before}<!-- generated: ${name} -->\n\n${text}\n\n${after[0]?.slice(end)}`
}

const root = new URL('../../', import.meta.url)

/** The documents with their generated sections, by path relative to packages/model/contract/. */
export const documentFiles = async (): Promise<ReadonlyMap<string, string>> => {
  const files = new Map<string, string>()
  for (const [path, generated] of Object.entries(sections)) {
    let document = (await readFile(new URL(path, root), 'utf8')).replaceAll('\r\n', '\n')
    for (const [name, text] of Object.entries(generated)) document = replaceSection(document, name, text())
    files.set(`../../../${path}`, document)
  }
  return files
}
