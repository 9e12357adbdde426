import type { NamedField, Resource } from '@muster/model'
import { resourceAt } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { LockKeyhole } from 'lucide-react'
import type { SyntheticEvent } from 'react'
import { Withheld } from '../../components/Withheld.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { relationOf } from './columns.ts'
import type { Row } from './list-query.ts'
import { hasPersonalLabel, numberedLabel, recordLabel, recordRole } from './record-label.ts'
import styles from './Value.module.css'

interface ValueProps {
  readonly resource: Resource
  readonly field: NamedField
  readonly row: Row
  readonly isWithheld: boolean
  /** If true, references are no links. */
  readonly isPlain?: boolean
}

/** Longer texts are cut in lists, before the style sheet cuts them: 20,000 characters in each row would be slow. */
const maxCellLength = 200

/** A value as it is: `null` as the word, dates as the API has them, and a lock for what is withheld. */
export const Value = ({ resource, field, row, isWithheld, isPlain = false }: ValueProps) => {
  const value = row[field.name]
  if (value === undefined) return undefined
  if (field.personal && isWithheld) return <Withheld />
  if (value === null) return <Null />
  if (field.kind === 'reference') return <ReferenceValue {...{ resource, field, row, isWithheld, isPlain }} />
  const text = String(value)
  if (text === '') return <span className={styles.null}>empty text</span>
  if (field.kind === 'text') return <bdi>{text.slice(0, maxCellLength)}</bdi>
  return text.slice(0, maxCellLength)
}

export const Null = () => <span className={styles.null}>null</span>

/** The id of the related record, which opens it, and its name. */
const ReferenceValue = ({ resource, field, row, isWithheld, isPlain }: ValueProps) => {
  const relation = relationOf(resource, field)
  const id = String(row[field.name])
  const related = relation === undefined ? undefined : row[relation.name]
  const path = relation?.resource ?? ''
  return (
    <span className={styles.reference}>
      {isPlain ? (
        id
      ) : (
        <RecordLink path={path} id={id} className="link number">
          {id}
        </RecordLink>
      )}{' '}
      {related === undefined || related === null ? undefined : (
        <RecordName resource={resourceAt(path)} record={related as Row} isWithheld={isWithheld} />
      )}
    </span>
  )
}

interface RecordNameProps {
  readonly resource: Resource
  readonly record: Row
  readonly isWithheld: boolean
}

/** The name of a record, or its number and a lock if the name is withheld. Nothing if it has no name. */
export const RecordName = ({ resource, record, isWithheld }: RecordNameProps) => {
  const label = recordLabel(resource, record)
  if (label !== undefined) return <bdi>{label.slice(0, maxCellLength)}</bdi>
  if (!(isWithheld && hasPersonalLabel(resource))) return undefined
  const role = recordRole(record)
  return (
    <span className={styles.withheld}>
      {numberedLabel(resource, record.id)}
      {role === undefined ? undefined : ` · ${role}`}
      <Icon of={LockKeyhole} size={12} />
      <span className="visually-hidden">, name withheld</span>
    </span>
  )
}

interface RecordLinkProps {
  readonly path: string
  readonly id: string
  readonly className?: string
  readonly children: React.ReactNode
}

/** Opens a record in its own list. */
export const RecordLink = ({ path, id, className, children }: RecordLinkProps) => (
  <Link
    to="/data/$resource"
    params={{ resource: path }}
    search={{ id, _open: id }}
    className={className}
    // A press on the link must not select the row around it too.
    onPointerDown={stop}
    onMouseDown={stop}
    onClick={stop}
  >
    {children}
  </Link>
)

const stop = (event: SyntheticEvent): void => event.stopPropagation()
