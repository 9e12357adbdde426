import { Link } from '@tanstack/react-router'
import { LockKeyhole } from 'lucide-react'
import type { NamedPerson } from '../format/person-name.ts'
import { personName } from '../format/person-name.ts'
import { classes } from '../kit/classes.ts'
import { Icon } from '../kit/Icon.tsx'
import { useIsWithheld } from '../service/use-is-withheld.ts'
import styles from './PersonName.module.css'

interface PersonNameProps {
  readonly person: NamedPerson
  /** What the person is called if the name is withheld or missing: `Employee` or `Candidate`. */
  readonly kind?: 'Employee' | 'Candidate'
  /** If false, the name is plain text. */
  readonly isLink?: boolean
  /** Not emphasized: a manager beside the name of the person itself. */
  readonly isPlain?: boolean
}

/** The name of a person, or `Employee 1042` with a lock where the service withholds names from this reader. */
export const PersonName = ({ person, kind = 'Employee', isLink = true, isPlain }: PersonNameProps) => {
  const isWithheld = useIsWithheld()
  const name = personName(person)
  const text =
    name === undefined ? (
      <span className={styles.withheld}>
        {kind} {person.id}
        {isWithheld ? (
          <>
            <Icon of={LockKeyhole} size={12} />
            <span className="visually-hidden">, name withheld</span>
          </>
        ) : undefined}
      </span>
    ) : (
      <bdi>{name}</bdi>
    )
  const className = classes(styles.name, isPlain && styles.plain)
  return isLink ? (
    <Link className={className} to={screenOf[kind]} params={{ id: String(person.id) }}>
      {text}
    </Link>
  ) : (
    <span className={className}>{text}</span>
  )
}

const screenOf = { Employee: '/people/$id', Candidate: '/hiring/candidates/$id' } as const
