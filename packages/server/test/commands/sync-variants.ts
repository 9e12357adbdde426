/** Broken variants of the files of `sync-samples`, as exports, spreadsheets and interrupted transfers break them. */
import type { Random } from '../../../../tests/support/random.ts'
import { pick } from '../../../../tests/support/random.ts'
import type { FieldMap } from '../../src/sync/field-map.ts'
import type { Table } from './sample-table.ts'
import {
  bytesOf,
  checked,
  codeReferences,
  dates,
  filledCell,
  header,
  lineOf,
  mapped,
  quoted,
  readTable,
  records,
  rulesAt,
  salaries,
  textOf,
  times,
  withCell,
  withRows,
} from './sample-table.ts'

export interface Variant {
  readonly kind: string
  readonly bytes: Buffer
  /** Whether the variant has the same records, so that it is an error to refuse it. */
  readonly isValid?: true
  /** Members that replace those of the map. */
  readonly mapMembers?: object
}

type Mutation = (random: Random, table: Table) => Variant | undefined

const dateParts = (text: string, { map }: Table): readonly string[] | undefined =>
  [...map.columns.values()]
    .flat()
    .flatMap(({ dates: formats }) => formats ?? [])
    .flatMap((format) => format.read(text) ?? [])[0]
    ?.split('-')

const otherDates = (text: string, table: Table): string[] => {
  const [year = '', month = '', day = ''] = dateParts(text, table) ?? []
  const swapped = Number(day) > 12 ? [`${day}/${month}/${year}`, `${month}/${day}/${year}`] : []
  return [
    ...swapped,
    `${day}.${month}.${year}`,
    `${year}-${month}-${day}`,
    `${day}.${month}.${year.slice(2)}`,
    `${month}/${day}/${year.slice(2)}`,
    `${year}/${month}/${day}`,
    `${day} ${month} ${year}`,
    `${text} 00:00`,
    String(Math.round(Date.UTC(Number(year), Number(month) - 1, Number(day)) / 86_400_000) + 25_569),
  ].filter((other) => other !== text && dateParts(other, table)?.join() !== [year, month, day].join())
}

/** The word is in the first column, and a sum in that of salaries. */
const totalsRow = (table: Table, word: string): string[] =>
  header(table).map((_, column) => {
    if (column === 0) return word
    return salaries(table).includes(column) ? '1' : ''
  })

const exchanged = (text: string): string => text.replaceAll(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'))

const mutations: Readonly<Record<string, Mutation>> = {
  'other delimiter': (random, table) => ({
    kind: 'other delimiter',
    bytes: bytesOf({
      ...table,
      delimiter: pick(
        random,
        [',', ';', '\t', '|', ':'].filter((each) => each !== table.delimiter),
      ),
    }),
  }),
  'delimiter of one line': (random, table) => {
    const row = pick(random, records(table))
    const other = table.delimiter === ',' ? ';' : ','
    const lines = table.rows.map((cells, index) => lineOf(cells, index === row ? other : table.delimiter))
    return { kind: 'delimiter of one line', bytes: Buffer.from(`${lines.join('\n')}\n`, table.encoding) }
  },
  'other encoding': (random, table) => {
    const text = textOf(table)
    const encoded: readonly Buffer[] = [
      Buffer.from(text, table.encoding === 'utf8' ? 'latin1' : 'utf8'),
      Buffer.from(`\uFEFF${text}`, 'utf8'),
      Buffer.from(`\uFEFF${text}`, 'utf16le'),
      Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
      Buffer.from(text, 'utf16le'),
      Buffer.from(text, 'utf16le').swap16(),
      Buffer.from(Buffer.from(text, 'utf8').toString('latin1'), table.encoding),
      Buffer.from(`\uFEFF${text}`, 'utf16le').subarray(0, -1),
    ]
    return { kind: 'other encoding', bytes: pick(random, encoded) }
  },
  'lost characters': (random, table) => {
    const [row, column] = filledCell(random, table, mapped(table)) ?? [0, 0]
    const text = table.rows[row]?.[column] ?? ''
    const damaged = pick(random, [`${text}\uFFFD`, `M\u00c3\u00bc${text}`, `${text}\0`])
    const utf8 = { ...table, encoding: 'utf8' as const }
    return { kind: 'lost characters', bytes: withCell(utf8, row, column, damaged) }
  },
  'number of another country': (random, table) => {
    const [row, column] = filledCell(random, table, salaries(table)) ?? []
    if (row === undefined || column === undefined) return undefined
    const text = table.rows[row]?.[column] ?? ''
    const other = pick(random, [
      exchanged(text),
      exchanged(text.replace(/[.,]00$/, '')),
      text.replace(/^(\d+)[.,]/, '$1 '),
      `${text} EUR`,
      `${text}-`,
      text.replace(/^(\d+)[.,]/, "$1'"),
    ])
    return other === text
      ? undefined
      : { kind: 'number of another country', bytes: withCell(table, row, column, other) }
  },
  'numbers of another country': (_random, table) => {
    const columns = salaries(table)
    if (columns.length === 0) return undefined
    const rows = table.rows.map((cells, index) =>
      index < table.first ? cells : cells.map((cell, column) => (columns.includes(column) ? exchanged(cell) : cell)),
    )
    return { kind: 'numbers of another country', bytes: withRows(table, rows) }
  },
  'date in another format': (random, table) => {
    const [row, column] = filledCell(random, table, dates(table)) ?? []
    if (row === undefined || column === undefined) return undefined
    const others = otherDates(table.rows[row]?.[column] ?? '', table)
    return { kind: 'date in another format', bytes: withCell(table, row, column, pick(random, others)) }
  },
  'dates in another format': (random, table) => {
    const columns = dates(table)
    if (columns.length === 0) return undefined
    const order = pick(random, ['DMY/', 'MDY/', 'DMY.', 'YMD-', 'DMY-'])
    const rows = table.rows.map((cells, index) =>
      cells.map((cell, column) => {
        const [year = '', month = '', day = ''] = dateParts(cell, table) ?? []
        if (index < table.first || !columns.includes(column) || year === '') return cell
        const parts: Readonly<Record<string, string>> = { D: day, M: month, Y: year }
        return [...order.slice(0, 3)].map((part) => parts[part]).join(order.slice(3))
      }),
    )
    return { kind: 'dates in another format', bytes: withRows(table, rows) }
  },
  'cells of a record shifted': (random, table) => {
    const last = checked(table).at(-1) ?? 0
    const row = pick(random, records(table))
    const column = random(last)
    const cells = table.rows[row] as readonly string[]
    const shifted = pick(random, [cells.toSpliced(column, 1), cells.toSpliced(column, 0, 'x')])
    return { kind: 'cells of a record shifted', bytes: withRows(table, table.rows.with(row, shifted)) }
  },
  'cells of all records shifted': (random, table) => {
    const column = random(Math.max(1, (checked(table)[1] ?? 1) - 1))
    const rows = table.rows.map((cells, index) => (index < table.first ? cells : [...cells.toSpliced(column, 1), '']))
    return { kind: 'cells of all records shifted', bytes: withRows(table, rows) }
  },
  'header shifted': (random, table) => {
    const names = header(table)
    const shifted = pick(random, [[...names.slice(1), names[0] as string], names.slice(1), ['', ...names.slice(0, -1)]])
    return { kind: 'header shifted', bytes: withRows(table, table.rows.with(0, shifted)) }
  },
  'line cut off': (random, table) => {
    const row = pick(random, records(table))
    const lines = table.rows.map((cells) => lineOf(cells, table.delimiter))
    const line = lines[row] as string
    const cut = random(line.lastIndexOf(table.delimiter) - 1) + 1
    return {
      kind: 'line cut off',
      bytes: Buffer.from(`${lines.with(row, line.slice(0, cut)).join('\n')}\n`, table.encoding),
    }
  },
  'file cut off': (random, table) => {
    const last = records(table).at(-1) as number
    const lines = table.rows.slice(0, last + 1).map((cells) => lineOf(cells, table.delimiter))
    const line = lines.at(-1) as string
    const cut = random(line.lastIndexOf(table.delimiter) - 1) + 1
    return { kind: 'file cut off', bytes: Buffer.from(lines.with(-1, line.slice(0, cut)).join('\n'), table.encoding) }
  },
  'row of totals': (random, table) => {
    const word = pick(random, ['Summe', 'TOTAL', 'Gesamtergebnis', 'Ergebnis:', 'Vertrieb Ergebnis', 'Sales Total'])
    return { kind: 'row of totals', bytes: withRows(table, [...table.rows, totalsRow(table, word)]) }
  },
  'row of totals that the map names': (random, table) => {
    const word = pick(random, ['Summe', 'Total'])
    const [first = ''] = header(table)
    if (rulesAt(table, 0).length === 0) return undefined
    return {
      kind: 'row of totals that the map names',
      isValid: true,
      mapMembers: { skip_where: { [first]: ['SUMME', 'total'] } },
      bytes: withRows(table, [...table.rows, totalsRow(table, word)]),
    }
  },
  'row of totals with another word than the map names': (_random, table) => {
    const [first = ''] = header(table)
    if (rulesAt(table, 0).length === 0) return undefined
    return {
      kind: 'row of totals with another word than the map names',
      mapMembers: { skip_where: { [first]: 'Summe' } },
      bytes: withRows(table, [...table.rows, totalsRow(table, 'Gesamt')]),
    }
  },
  'time without a zone': (random, table) => {
    const [row, column] = filledCell(random, table, times(table)) ?? []
    if (row === undefined || column === undefined) return undefined
    const local = (table.rows[row]?.[column] ?? '').replace(/Z$/, '')
    const others = [local, local.replace('T', ' '), local.slice(0, 16), local.slice(0, 10)]
    return { kind: 'time without a zone', bytes: withCell(table, row, column, pick(random, others)) }
  },
  'times in the zone of the map': (random, table) => {
    const columns = times(table)
    if (columns.length === 0) return undefined
    const separator = pick(random, ['T', ' '])
    const rows = table.rows.map((cells, index) =>
      cells.map((cell, column) =>
        index >= table.first && columns.includes(column) ? cell.replace('T', separator).replace(/Z$/, '') : cell,
      ),
    )
    return {
      kind: 'times in the zone of the map',
      isValid: true,
      mapMembers: { time_zone: 'UTC' },
      bytes: withRows(table, rows),
    }
  },
  'time that occurs twice or never': (random, table) => {
    const [row, column] = filledCell(random, table, times(table)) ?? []
    if (row === undefined || column === undefined) return undefined
    const cell = pick(random, ['2025-10-26 02:30', '2025-10-26T02:00:00', '2026-03-29 02:15'])
    return {
      kind: 'time that occurs twice or never',
      mapMembers: { time_zone: 'Europe/Vienna' },
      bytes: withCell(table, row, column, cell),
    }
  },
  'date moved by a zone': (random, table) => {
    const [row, column] = filledCell(random, table, dates(table)) ?? []
    if (row === undefined || column === undefined) return undefined
    const [year, month, day] = dateParts(table.rows[row]?.[column] ?? '', table) ?? []
    const time = pick(random, ['T23:00:00Z', 'T22:00:00.000Z', ' 01:00:00+02:00'])
    const cell = year === undefined ? `${table.rows[row]?.[column]}${time}` : `${year}-${month}-${day}${time}`
    return { kind: 'date moved by a zone', bytes: withCell(table, row, column, cell) }
  },
  'leading zeros': (random, table) => {
    const place = filledCell(random, table, [...salaries(table), ...codeReferences(table)])
    if (place === undefined) return undefined
    const [row, column] = place
    return { kind: 'leading zeros', bytes: withCell(table, row, column, `0${table.rows[row]?.[column]}`) }
  },
  'column name twice': (random, table) => {
    const [from, to] = [pick(random, mapped(table)), random(header(table).length)]
    if (from === to) return undefined
    return { kind: 'column name twice', bytes: withCell(table, 0, to, header(table)[from] as string) }
  },
  'column renamed': (random, table) => {
    const column = random(header(table).length)
    return { kind: 'column renamed', bytes: withCell(table, 0, column, `${header(table)[column]} 2`) }
  },
  formula: (random, table) => {
    const [row, column] = filledCell(random, table, mapped(table)) ?? [0, 0]
    const cell = pick(random, [
      '=A2&B2',
      '=SUM(A1:A3)',
      '#REF!',
      '#N/A',
      '#NAME?',
      '########',
      '1,23E+11',
      '4.5E+15',
      '=HYPERLINK("x")',
    ])
    return { kind: 'formula', bytes: withCell(table, row, column, cell) }
  },
  'stray quote': (random, table) => {
    const lines = table.rows.map((cells) => lineOf(cells, table.delimiter))
    const row = pick(random, records(table))
    const line = lines[row] as string
    const at = random(line.length)
    return {
      kind: 'stray quote',
      bytes: Buffer.from(`${lines.with(row, `${line.slice(0, at)}"${line.slice(at)}`).join('\n')}\n`, table.encoding),
    }
  },
  'record twice': (random, table) => {
    const row = pick(random, records(table))
    return { kind: 'record twice', bytes: withRows(table, [...table.rows, table.rows[row] as readonly string[]]) }
  },
  'title above the columns': (random, table) => ({
    kind: 'title above the columns',
    bytes: withRows(table, [
      [
        pick(random, ['Staff', 'Report 2026']),
        ...header(table)
          .slice(1)
          .map(() => ''),
      ],
      ...table.rows,
    ]),
  }),
  'line ends of old computers': (_random, table) => ({
    kind: 'line ends of old computers',
    bytes: Buffer.from(textOf(table).replaceAll('\r\n', '\r'), table.encoding),
  }),
  'empty rows': (random, table) => ({
    kind: 'empty rows',
    isValid: true,
    bytes: withRows(
      table,
      table.rows.toSpliced(
        table.first + random(3),
        0,
        header(table).map(() => pick(random, ['', ' '])),
      ),
    ),
  }),
  'all cells quoted': (_random, table) => ({
    kind: 'all cells quoted',
    isValid: true,
    bytes: Buffer.from(
      table.rows.map((cells) => `${cells.map(quoted).join(table.delimiter)}\n`).join(''),
      table.encoding,
    ),
  }),
  'columns in another order': (random, table) => {
    const by = 1 + random(header(table).length - 1)
    const rows = table.rows.map((cells) => [...cells.slice(by), ...cells.slice(0, by)])
    return { kind: 'columns in another order', isValid: true, bytes: withRows(table, rows) }
  },
  'delimiter at the end of each line': (_random, table) => ({
    kind: 'delimiter at the end of each line',
    isValid: true,
    bytes: withRows(
      table,
      table.rows.map((cells) => [...cells, '']),
    ),
  }),
}

/** `count` variants of a file. Each kind of change occurs about equally often. */
export const variantsOf = (
  name: string,
  map: FieldMap,
  { random, count }: { readonly random: Random; readonly count: number },
): Variant[] => {
  const table = readTable(name, map)
  const all = Object.values(mutations)
  const variants: Variant[] = []
  for (let index = 0; variants.length < count; index += 1) {
    const variant = (all[index % all.length] as Mutation)(random, table)
    if (variant !== undefined) variants.push(variant)
  }
  return variants
}
