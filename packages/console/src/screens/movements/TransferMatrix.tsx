import { ArrowRight } from 'lucide-react'
import { ColorKey } from '../../components/ColorKey.tsx'
import type { MatrixLine } from '../../components/Matrix.tsx'
import { Matrix, MatrixCell } from '../../components/Matrix.tsx'
import { stepScale } from '../../components/step-colors.ts'
import { formatChange, formatInteger } from '../../format/numbers.ts'
import { Icon } from '../../kit/Icon.tsx'
import styles from './Movements.module.css'
import type { Days, MovementRow, Place } from './movements.ts'
import { changesPath, colorBounds, placeFilter, transfersOf } from './movements.ts'

interface TransferMatrixProps {
  readonly rows: readonly MovementRow[]
  readonly days: Days
  /** Undefined until they are loaded. */
  readonly names: ReadonlyMap<string, string> | undefined
}

/** A place, or the total of all places. */
interface Line extends MatrixLine {
  readonly place?: Place
}

const totalKey = 'total'
const balanceKey = 'balance'

/** How many people moved from each department to each other one. */
export const TransferMatrix = ({ rows, days, names }: TransferMatrixProps) => {
  const { places, count, highest } = transfersOf(rows)
  if (places.length === 0) return <p className="note">Nobody moved to another department in this period.</p>
  const steps = stepScale(colorBounds(highest))
  const lines = places.map(
    (place): Line => ({ place, key: place.key, head: <PlaceName place={place} names={names} /> }),
  )
  const columns: readonly Line[] = [...lines, { key: totalKey, head: <b className={styles.total}>Moved out</b> }]
  const foot: readonly Line[] = [
    { key: totalKey, head: <b className={styles.total}>Moved in</b> },
    { key: balanceKey, head: 'In less out' },
  ]
  return (
    <>
      <ColorKey from="1" to={formatInteger(highest)} />
      <Matrix
        corner={
          <span className={styles.corner}>
            From <Icon of={ArrowRight} size={12} /> to
          </span>
        }
        columns={columns}
        rows={lines}
        foot={foot}
        cell={(row, column, isStop) => {
          if (row.key === balanceKey)
            return (
              <MatrixCell kind="muted" isStop={isStop}>
                {column.place === undefined
                  ? undefined
                  : formatChange(count(undefined, column.place) - count(column.place, undefined))}
              </MatrixCell>
            )
          if (row.place !== undefined && row.place === column.place && !row.place.isOther)
            return (
              <MatrixCell kind="blocked" isStop={isStop}>
                <span className="visually-hidden">the same department</span>
              </MatrixCell>
            )
          const value = count(row.place, column.place)
          const isTotal = row.place === undefined || column.place === undefined
          return value === 0 ? (
            <MatrixCell kind="muted" isStop={isStop}>
              0
            </MatrixCell>
          ) : (
            <MatrixCell
              kind={isTotal ? 'total' : 'plain'}
              figure={{ name: `movements.from_to.${row.key}.${column.key}`, value }}
              link={changesPath('dept_id', days, {
                ...placeFilter('old', row.place),
                ...placeFilter('new', column.place),
              })}
              step={isTotal ? undefined : steps(value)}
              isStop={isStop}
            >
              {formatInteger(value)}
            </MatrixCell>
          )
        }}
      />
    </>
  )
}

interface PlaceNameProps {
  readonly place: Place
  readonly names: ReadonlyMap<string, string> | undefined
}

const PlaceName = ({ place: { ids, isOther }, names }: PlaceNameProps) => {
  const [id] = ids
  if (isOther) return <>Other {formatInteger(ids.length)}</>
  const name = id === null || id === undefined ? 'No department' : (names?.get(id) ?? `Department ${id}`)
  return (
    <bdi className={styles.place} title={name}>
      {name}
    </bdi>
  )
}
