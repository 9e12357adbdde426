/** Drafts a map from a file: columns are recognized by their names and values, and what is not certain is an open question. */
import type { NamedField, Resource } from '@muster/model'
import { resources } from '@muster/model'
import { OperatorError } from '../../errors.ts'
import type { Source } from '../../import-export/source.ts'
import type { DateFormat } from '../date-format.ts'
import { pluralOf } from '../delimiter.ts'
import type { NumberFormat } from '../number-format.ts'
import { fittingDates, fittingNumbers } from './cell-formats.ts'
import { isOtherSalaryUnit, knownColumns, normalizeName } from './column-names.ts'
import type { DraftColumn, DraftContext, DraftRule } from './column-rules.ts'
import { distinct, draftRule, formattedTexts, isEmail, isPlain, numberMembers } from './column-rules.ts'
import type { Sample, SampleRow } from './sample.ts'
import { readSample } from './sample.ts'
import type { TotalsRows } from './totals-rows.ts'
import { findTotals } from './totals-rows.ts'
import { translateValue } from './value-names.ts'

export interface Draft {
  readonly map: object
  readonly resource: Resource
  /** The names of the columns in the file. */
  readonly columns: readonly string[]
  readonly unsureCount: number
}

/** The resource is recognized too if it is not given. */
export const draftMap = async (source: Source, given: Resource | undefined): Promise<Draft> => {
  const sample = await readSample(source)
  const found = findColumns(sample, given, source.name)
  const { resource, header, skippedRows, totals } = found
  const { columns, assigned, notes } = withoutNotes(found)
  const context = contextOf(resource, assigned)
  const unknown: string[] = []
  const ignored: string[] = []
  const rules: Record<string, unknown> = {}
  for (const column of columns) {
    const found = assigned.get(column)
    const rule = found === undefined ? reasonToIgnore(column, resource) : draftRule(column, found.field, context)
    if (rule === undefined) unknown.push(column.name)
    else if (found === undefined || typeof rule === 'string') ignored.push(`${column.name} (${rule})`)
    else rules[column.name] = withFormer(mergeUnsure(rule, found), resource)
    rules[column.name] ??= 'ignore'
  }
  for (const [column, other] of rivalsOf(columns, assigned, context))
    rules[column.name] = withQuestion(
      rules[column.name],
      `The column "${other.name}" may have this field too, with other values. Keep the right one, and write "ignore" for the other`,
    )
  const assignedNames = new Set([...assigned.values()].map(({ field }) => field.name))
  const missingKey = resource.naturalKey.filter((name) => !assignedNames.has(name))
  const status = needsStatus(resource) && !assignedNames.has('status') ? { status: 'active' } : undefined
  const unsure = fileQuestions(sample, { totals, notes, missingKey, hasStatus: status === undefined })
  const columnQuestions = Object.values(rules).filter((rule) => JSON.stringify(rule).includes('"unsure":'))
  return {
    resource,
    columns: columns.map(({ name }) => name),
    unsureCount: Object.keys(unsure).length + columnQuestions.length,
    map: {
      about: [
        `Drafted from ${source.name}: ${describeFormat(sample, header)}.`,
        `Check each column. Decide each question in "unsure", remove it, and try the map: muster sync ${resource.path} ${source.name} --map FILE --dry-run`,
        ...(unknown.length === 0 ? [] : [`Ignored, because no field is known for them: ${unknown.join(', ')}.`]),
        ...(ignored.length === 0 ? [] : [`Ignored for another reason: ${ignored.join(', ')}.`]),
      ],
      ...(Object.keys(unsure).length === 0 ? {} : { unsure }),
      resource: resource.path,
      ...(sample.delimiter === undefined || sample.delimiter === ',' ? {} : { delimiter: sample.delimiter }),
      ...(sample.encoding === undefined ? {} : { encoding: sample.encoding }),
      ...(skippedRows.length === 0 ? {} : { skip_rows: skippedRows }),
      ...(totals.lines.length + notes.lines.length === 0 ? {} : { skip_where: skipRule(totals, notes) }),
      ...(context.dateFormat === undefined ? {} : { date: context.dateFormat.text }),
      ...(context.numberFormat === undefined ? {} : numberMembers(context.numberFormat)),
      columns: rules,
      ...(status === undefined ? {} : { defaults: status }),
    },
  }
}

/** Why a column without a field is ignored although its name says what it is. */
const reasonToIgnore = ({ name }: DraftColumn, { storedFields }: Resource): string | undefined =>
  storedFields.some((field) => field.name === 'base_salary') && isOtherSalaryUnit(name)
    ? 'base_salary is per year, and this is a salary per month or hour: add a column with the salary per year to the file'
    : undefined

interface FileFacts {
  readonly totals: TotalsRows
  readonly notes: NoteRows
  readonly missingKey: readonly string[]
  readonly hasStatus: boolean
}

/** What a person must decide about the file as a whole, by the member of the map. */
const fileQuestions = (
  { encoding, letters, delimiter, otherDelimiters }: Sample,
  { totals, notes, missingKey, hasStatus }: FileFacts,
): Record<string, string> => ({
  ...(encoding === 'windows-1252'
    ? {
        encoding: `The file is not UTF-8. Read as Windows-1252, it contains ${letters}. If these are not letters of its language, export it as UTF-8`,
      }
    : {}),
  ...(otherDelimiters.length === 0
    ? {}
    : {
        delimiter: `The columns can be separated by ${[delimiter ?? '', ...otherDelimiters].map(pluralOf).join(' or ')}`,
      }),
  ...skipQuestion(totals, notes),
  ...(missingKey.length === 0
    ? {}
    : { columns: `No column is known for ${missingKey.join(', ')}. Map one, or name another key with --key` }),
  ...(hasStatus
    ? {}
    : {
        defaults:
          'No column is known for the status, so new records are "active". If some are not, map a column that says so',
      }),
})

const skipQuestion = (totals: TotalsRows, notes: NoteRows): Record<string, string> => {
  const questions = [
    ...(totals.lines.length === 0
      ? []
      : [
          `Line ${totals.lines.join(', ')} looks like totals, so rows with this value are skipped. If they are records, write an empty list for the column`,
        ]),
    ...(notes.lines.length === 0
      ? []
      : [
          `Line ${notes.lines.join(', ')} looks like a note: rows without a value in the column ${JSON.stringify(notes.column)} are skipped. If some are records, remove the ""`,
        ]),
  ]
  return questions.length === 0 ? {} : { skip_where: questions.join('. ') }
}

const skipRule = ({ rule }: TotalsRows, { column, lines }: NoteRows): object => {
  if (lines.length === 0) return rule
  return { ...rule, [column]: rule[column] === undefined ? '' : [rule[column], ''].flat() }
}

const withQuestion = (rule: unknown, question: string): unknown => {
  if (Array.isArray(rule)) return [withQuestion(rule[0], question), ...rule.slice(1)]
  const members = typeof rule === 'string' ? { field: rule } : (rule as DraftRule)
  return { ...members, unsure: 'unsure' in members ? `${members.unsure}. ${question}` : question }
}

/** The columns whose field another column could have too, which got none and has other values. */
const rivalsOf = (
  columns: readonly DraftColumn[],
  assigned: ReadonlyMap<DraftColumn, Assignment>,
  context: DraftContext,
): (readonly [column: DraftColumn, other: DraftColumn])[] =>
  [...assigned].flatMap(([column, { field }]) => {
    const names = new Set(
      (knownColumns[context.resource.path] ?? [])
        .filter(({ fields, unsure }) => fields.includes(field.name) && unsure === undefined)
        .flatMap((known) => known.names),
    )
    const other = columns.find(
      (each) =>
        each !== column &&
        !assigned.has(each) &&
        each.cells.length > 0 &&
        names.has(normalizeName(each.name)) &&
        distinct(each).join('\n') !== distinct(column).join('\n') &&
        typeof draftRule(each, field, context) !== 'string',
    )
    return other === undefined ? [] : [[column, other] as const]
  })

const describeFormat = ({ delimiter, encoding }: Sample, header: SampleRow): string => {
  const separators = delimiter === undefined ? 'the first sheet' : `columns separated by ${pluralOf(delimiter)}`
  const read = encoding === undefined ? '' : `, read as ${encoding}`
  return `${separators}${read}, column names in line ${header.line}`
}

const needsStatus = ({ storedFields }: Resource): boolean =>
  storedFields.some(({ name, required, values }) => name === 'status' && required && values?.includes('active'))

const fieldNamesOf = (resource: Resource): ReadonlySet<string> =>
  new Set([
    ...resource.storedFields.map(({ name }) => normalizeName(name)),
    ...(knownColumns[resource.path] ?? []).flatMap(({ names }) => names),
  ])

/** The line with the column names is one of these. */
const maxHeaderRows = 20

interface FoundColumns {
  readonly resource: Resource
  readonly header: SampleRow
  readonly skippedRows: readonly number[]
  /** The rows that are neither empty nor totals. */
  readonly rows: readonly SampleRow[]
  readonly totals: TotalsRows
}

const findColumns = ({ rows }: Sample, given: Resource | undefined, name: string): FoundColumns => {
  const candidates = (given === undefined ? resources : [given]).flatMap((resource) => {
    const known = fieldNamesOf(resource)
    const countKnown = ({ cells }: SampleRow): number =>
      new Set(cells.map(({ text }) => normalizeName(text)).filter((text) => known.has(text))).size
    return rows
      .slice(0, maxHeaderRows)
      .map((row, index) => ({ resource, row, index, countKnown, count: countKnown(row) }))
  })
  const best = candidates.toSorted((a, b) => b.count - a.count)[0]
  if (best === undefined || best.count === 0)
    throw new OperatorError(
      `No column of ${name} is known in the first ${maxHeaderRows} lines${given === undefined ? ': name the resource, or write the map by hand' : ': write the map by hand'}.`,
    )
  // One known name, such as that of a currency, may be in a file about anything.
  if (given === undefined && best.count === 1 && best.row.cells.filter(({ text }) => text !== '').length > 1)
    throw new OperatorError(
      `Only one column of ${name} is known, which is too little to tell the resource: name it before --make-map (${resources.map(({ path }) => path).join(', ')}).`,
    )
  const equal = candidates.filter(({ resource, count }) => count === best.count && resource !== best.resource)
  if (equal.length > 0)
    throw new OperatorError(
      `The columns of ${name} fit ${[best, ...equal]
        .map(({ resource }) => resource.path)
        .filter((path, index, all) => all.indexOf(path) === index)
        .join(', ')}: name the resource before --make-map.`,
    )
  const next = rows[best.index + 1]
  // Some files repeat the names as labels.
  const hasLabels = next !== undefined && best.countKnown(next) * 2 >= best.count && best.countKnown(next) > 1
  const totals = findTotals(best.row, rows.slice(best.index + (hasLabels ? 2 : 1)))
  const data = totals.others.filter(({ cells }) => cells.some((cell) => cell.text !== ''))
  return {
    resource: best.resource,
    header: best.row,
    skippedRows: [
      ...Array.from({ length: best.row.line - 1 }, (_, index) => index + 1),
      ...(hasLabels ? [next.line] : []),
    ],
    rows: data,
    totals,
  }
}

interface NoteRows {
  readonly lines: readonly number[]
  /** The column of the key, which these rows do not have. */
  readonly column: string
}

interface AssignedColumns {
  readonly columns: readonly DraftColumn[]
  readonly assigned: ReadonlyMap<DraftColumn, Assignment>
  readonly notes: NoteRows
}

const maxNoteCells = 2

/** Notes among the records, such as "Number of employees: 5", have no key and hardly any cells. */
const withoutNotes = ({ resource, header, rows }: FoundColumns): AssignedColumns => {
  const assign = (records: readonly SampleRow[]): Omit<AssignedColumns, 'notes'> => {
    const columns = header.cells.flatMap(({ text }, index) => (text === '' ? [] : [columnAt(index, text, records)]))
    return { columns, assigned: assignFields(columns, resource) }
  }
  const all = assign(rows)
  const [key, ...others] = resource.naturalKey
  const column = [...all.assigned].find(([, { field }]) => field.name === key)?.[0].name ?? ''
  const index = header.cells.findIndex(({ text }) => text === column)
  const notes = rows.filter(({ cells }) => index !== -1 && (cells[index]?.text ?? '') === '')
  const areNotes = notes.every(({ cells }) => cells.filter(({ text }) => text !== '').length <= maxNoteCells)
  if (others.length > 0 || notes.length === 0 || !areNotes || header.cells.length <= maxNoteCells + 1)
    return { ...all, notes: { lines: [], column } }
  return {
    ...assign(rows.filter((row) => !notes.includes(row))),
    notes: { lines: notes.map(({ line }) => line), column },
  }
}

const columnAt = (index: number, name: string, data: readonly SampleRow[]): DraftColumn => {
  const cells = data
    .flatMap(({ line, cells: { [index]: cell } }) => (cell === undefined ? [] : [{ ...cell, line }]))
    .filter(({ text }) => text !== '')
  return { name, cells, hasEmptyCells: cells.length < data.length }
}

interface Assignment {
  readonly field: NamedField
  readonly about?: string
  readonly unsure?: string
}

/** The field of each column. Of several columns for a field, the first in `knownColumns` gets it. */
const assignFields = (columns: readonly DraftColumn[], resource: Resource): Map<DraftColumn, Assignment> => {
  const assigned = new Map<DraftColumn, Assignment>()
  const isFree = (name: string): boolean => ![...assigned.values()].some(({ field }) => field.name === name)
  const assign = (column: DraftColumn, name: string, more: Omit<Assignment, 'field'> = {}): void => {
    const field = resource.storedFields.find((candidate) => candidate.name === name)
    if (field !== undefined && isFree(name) && !assigned.has(column)) assigned.set(column, { field, ...more })
  }
  // A column without values gets a field only if no other column is known for it.
  for (const candidates of [columns.filter(({ cells }) => cells.length > 0), columns]) {
    const columnNamed = (name: string): DraftColumn | undefined =>
      candidates.find((each) => normalizeName(each.name) === name)
    for (const { name } of resource.storedFields) {
      const column = columnNamed(normalizeName(name))
      // "Base salary" need not be what base_salary is.
      const isUnsure = knownColumns[resource.path]?.some(
        ({ names, unsure }) => unsure !== undefined && names.includes(normalizeName(name)),
      )
      if (column !== undefined && (column.name === name || isUnsure !== true)) assign(column, name)
    }
    for (const { fields, names, unsure } of knownColumns[resource.path] ?? []) {
      for (const column of names.flatMap((name) => columnNamed(name) ?? [])) {
        assign(column, bestField(column, resource, fields), unsure === undefined ? {} : { unsure })
      }
    }
  }
  for (const column of columns)
    if (column.cells.length > 0 && distinct(column).every(isEmail) && !normalizeName(column.name).includes('manager'))
      assign(column, 'email', { about: 'Recognized by its values.' })
  return assigned
}

const bestField = (column: DraftColumn, resource: Resource, fields: readonly string[]): string =>
  fields.toSorted((a, b) => countTranslated(column, resource, b) - countTranslated(column, resource, a))[0] as string

const countTranslated = (column: DraftColumn, { path }: Resource, field: string): number =>
  distinct(column).filter((word) => translateValue(path, field, word).value !== undefined).length

const mergeUnsure = (rule: DraftRule, { about, unsure }: Assignment): DraftRule => {
  const reasons = [rule.unsure, unsure].filter((reason) => reason !== undefined)
  return {
    ...rule,
    ...(about === undefined ? {} : { about }),
    ...(reasons.length === 0 ? {} : { unsure: reasons.join('. ') }),
  }
}

/** A status of employees also decides `alumni`. Rules without further members are written as the name of the field. */
const withFormer = (rule: DraftRule, { path }: Resource): unknown => {
  if (path === 'employees' && rule.field === 'status' && rule.values !== undefined) {
    const former = Object.entries(rule.values).map(([word, value]) => [word, value === 'terminated' ? 1 : 0])
    const status =
      rule.unsure === undefined ? rule : { ...rule, unsure: `${rule.unsure}. Former employees also have 1 in "alumni"` }
    return [status, { field: 'alumni', values: Object.fromEntries(former) }]
  }
  return Object.keys(rule).length === 1 ? rule.field : rule
}

const contextOf = (resource: Resource, assigned: ReadonlyMap<DraftColumn, Assignment>): DraftContext => {
  const columnsOf = (matches: (field: NamedField) => boolean): DraftColumn[] =>
    [...assigned].filter(([, { field }]) => matches(field)).map(([column]) => column)
  const [codes] = columnsOf(({ name }) => name === 'code')
  return {
    resource,
    codes: new Set(codes === undefined ? [] : distinct(codes)),
    dateFormat: onlyFormat(
      columnsOf(({ kind }) => kind === 'date').flatMap((column) => formattedTexts(column)),
      fittingDates,
    ),
    numberFormat: commonNumbers(columnsOf(({ kind }) => kind === 'number' || kind === 'integer')),
  }
}

/** The only format in which all texts can be read; undefined if there is none, or more than one. */
const onlyFormat = (
  texts: readonly string[],
  fitting: (texts: readonly string[]) => DateFormat[],
): DateFormat | undefined => {
  const [format, ...others] = fitting(texts)
  return others.length === 0 ? format : undefined
}

const commonNumbers = (columns: readonly DraftColumn[]): NumberFormat | undefined => {
  const [format, ...others] = fittingNumbers(columns.flatMap(formattedTexts))
  return format === undefined || others.length > 0 || isPlain(format) ? undefined : format
}
