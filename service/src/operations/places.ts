/** In charge of knowing where in a table the n-th row stands: remembers how many rows each block of 256 ids holds. */
import type { Resource } from '@muster/model'
import type { Runner } from '../database/database.ts'
import type { Statement } from '../database/statement.ts'
import { eraOfBooks, literal } from '../database/statement.ts'
import { lastAtMost, numbers } from './rising-numbers.ts'
import { SizedMap } from './sized-map.ts'

/** A place to begin reading: the first id of a block, and the rows to skip from there. */
export interface Place {
  readonly startId: bigint
  readonly skip: number
  /** How often the blocks had changed before their end when this was learnt; right while that stays the same. */
  readonly shifts: number
  /** The books it was learnt from. */
  readonly era: string
}

export interface Places {
  /** The place of the row that `offset` others of the scope precede. */
  find(reader: Runner, resource: Resource, scope: Scope, offset: bigint): Promise<Place>
  forget(resource: Resource, scope: Scope): void
  /** Told of every total seen, so that a table that has grown since is learnt anew. */
  noteTotal(resource: Resource, scope: Scope, total: number): void
}

/** All rows, or those in one state. */
export interface Scope {
  readonly field?: string
  readonly value?: string
}

interface Known {
  readonly era: string
  readonly shifts: number
  readonly block: Float64Array
  readonly before: Float64Array
  total: number
}

const maxBytes = 32_000_000
/** The last blocks are still being filled by writers under way: reading starts before them. As in the migration. */
const openBlocks = 16
/** Walking further than this beyond what is remembered costs more than learning anew. */
const maxWalk = 16_384

export const openPlaces = (): Places => {
  const remembered = new SizedMap<Known>(maxBytes)
  const learning = new Map<string, Promise<Known>>()

  const learn = (reader: Runner, resource: Resource, scope: Scope, key: string): Promise<Known> => {
    const started = learning.get(key)
    if (started !== undefined) return started
    const learnt = read(reader, resource, scope)
      .then((known) => {
        remembered.set(key, known, known.block.byteLength * 2 + 200)
        return known
      })
      .finally(() => learning.delete(key))
    learning.set(key, learnt)
    return learnt
  }

  return {
    async find(reader, resource, scope, offset) {
      const key = keyOf(resource, scope)
      const known = remembered.get(key)
      const enough = known !== undefined && Number(offset) < knownRows(known) + maxWalk
      // Past the end there is nothing to learn; where the table has grown by much, there is.
      if (known !== undefined && (enough || known.total <= knownRows(known) + maxWalk)) return placeIn(known, offset)
      return placeIn(await learn(reader, resource, scope, key), offset)
    },
    forget: (resource, scope) => remembered.delete(keyOf(resource, scope)),
    noteTotal(resource, scope, total) {
      const known = remembered.get(keyOf(resource, scope))
      if (known !== undefined) known.total = total
    },
  }
}

const keyOf = ({ table }: Resource, { field, value }: Scope): string => JSON.stringify([table, field, value])

const knownRows = ({ before }: Known): number => before.at(-1) ?? 0

const placeIn = ({ era, shifts, block, before }: Known, offset: bigint): Place => {
  if (block.length === 0) return { startId: -(2n ** 63n), skip: Number(offset), shifts, era }
  const index = lastAtMost(before, Number(offset))
  return { startId: BigInt(block[index] ?? 0) << 8n, skip: Number(offset) - (before[index] ?? 0), shifts, era }
}

const read = async (reader: Runner, resource: Resource, scope: Scope): Promise<Known> => {
  const [row] = await reader.run(blocksOfScope(resource, scope))
  const block = numbers(row?.[1] as string | null)
  const rows = numbers(row?.[2] as string | null)
  const trusted = Math.max(block.length - openBlocks, 0)
  const before = new Float64Array(trusted)
  let sum = 0
  for (let index = 0; index < trusted; index += 1) {
    before[index] = sum
    sum += rows[index] ?? 0
  }
  return { era: row?.[3] as string, shifts: Number(row?.[0]), block: block.subarray(0, trusted), before, total: 0 }
}

export const scopeName = ({ field }: Scope, value: string): string =>
  field === undefined ? "''" : `${literal(`${field}=`)} || muster_key(${value})`

const blocksOfScope = (resource: Resource, scope: Scope): Statement => {
  const inScope = `resource = ${literal(resource.table)} and scope = ${scopeName(scope, '$1')}`
  const text =
    `with run as materialized (select block, rows from muster_blocks where ${inScope} and level = 8)` +
    ` select coalesce((select shifts from muster_shifts where ${inScope}), 0),` +
    " (select string_agg(block::text, ',' order by block) from run), (select string_agg(rows::text, ',' order by block) from run), " +
    eraOfBooks
  return {
    pool: 'list',
    summary: `places ${resource.path}`,
    text,
    values: scope.value === undefined ? [] : [scope.value],
  }
}
