/** In charge of one statement on the wire: the rows of a named one are described once per connection, not every time. */
import pg from 'pg'
import type { Row } from './database.ts'
import type { Statement } from './statement.ts'

/** What the driver hands to queries of a class of one's own, as cursors and streams are. */
interface Wire {
  readonly stream: pg.Connection['stream']
  readonly parsedStatements: Readonly<Record<string, string>>
  parse(statement: { readonly name: string; readonly text: string }): void
  bind(bound: { statement: string; values: readonly unknown[]; valueMapper: (value: unknown) => unknown }): void
  describe(portal: { readonly type: 'P' }): void
  execute(): void
  sync(): void
}

type Parser = (text: string) => unknown
type Done = (error: Error | null | undefined, rows?: readonly Row[]) => void

/** How the rows of the named statements of a connection are read. */
const described = new WeakMap<Wire, Map<string, readonly Parser[]>>()

const { prepareValue } = (pg as unknown as { readonly utils: { prepareValue(value: unknown): unknown } }).utils

/** Identifiers beyond 2^53-1 are refused on the way in, so a number holds every one of them. */
const parserOf = (type: number): Parser =>
  type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, 'text')

export class WireQuery implements pg.Submittable {
  /** Read by the driver, which remembers by it what the server has parsed. */
  readonly name: string
  readonly text: string
  /** Called by the driver too, where the answer takes too long or the connection breaks. */
  callback: Done
  readonly #values: readonly unknown[]
  #known: Map<string, readonly Parser[]> = new Map()
  #parsers: readonly Parser[] | undefined
  #rows: Row[] = []

  constructor({ name = '', text, values }: Statement, done: Done) {
    this.name = name
    this.text = text
    this.callback = done
    this.#values = values
  }

  submit(connection: pg.Connection): null {
    const wire = connection as unknown as Wire
    const { name, text } = this
    this.#known = knownOn(wire)
    const isParsed = name !== '' && name in wire.parsedStatements
    this.#parsers = isParsed ? this.#known.get(name) : undefined
    wire.stream.cork()
    try {
      if (!isParsed) wire.parse({ name, text })
      wire.bind({ statement: name, values: this.#values, valueMapper: prepareValue })
      if (this.#parsers === undefined) wire.describe({ type: 'P' })
      wire.execute()
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
    return null
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly dataTypeID: number }[] }): void {
    this.#parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID))
    if (this.name !== '') this.#known.set(this.name, this.#parsers)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const parsers = this.#parsers
    this.#rows.push(fields.map((text, at) => (text === null ? null : parsers?.[at]?.(text))))
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    // A connection holds its last query until it has another: long texts would outlive many collections of garbage.
    const rows = this.#rows
    this.#rows = []
    this.callback(undefined, rows)
  }
}

const knownOn = (wire: Wire): Map<string, readonly Parser[]> => {
  const known = described.get(wire) ?? new Map<string, readonly Parser[]>()
  described.set(wire, known)
  return known
}
