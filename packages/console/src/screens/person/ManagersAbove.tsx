import { ChevronRight } from 'lucide-react'
import { Figure } from '../../components/Figure.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { CycleNote } from './CycleNote.tsx'
import type { FullPerson } from './full-person.ts'
import styles from './PersonScreen.module.css'
import type { useChain } from './use-chain.ts'

interface ManagersAboveProps {
  readonly chain: ReturnType<typeof useChain>
  readonly person: FullPerson
}

/** The chain of managers from the top of the company, each with the number of people below. */
export const ManagersAbove = ({ chain, person }: ManagersAboveProps) => {
  const { result, managers, cycle } = chain
  if (result.error !== null) return <p className={styles.chain}>The managers above could not be loaded.</p>
  if (result.data === undefined || result.isPlaceholderData) return <p className={styles.chain}>{'\u00a0'}</p>
  return (
    <>
      <nav aria-label="Managers above">
        <ol className={styles.chain}>
          {managers.map((row) => (
            <li key={row.id}>
              <PersonName
                person={{ id: Number(row.id), first_name: row.first_name ?? null, last_name: row.last_name ?? null }}
              />
              <Figure
                name={`person.above.${row.id}`}
                value={row.total_reports ?? 0}
                link={row.links.total_reports}
                what="people below"
              />
              <Icon of={ChevronRight} size={13} />
            </li>
          ))}
          {managers.length > 0 ? undefined : person.manager !== null && cycle.length === 0 ? (
            <li>
              <PersonName person={person.manager} /> who is not in the org chart
              <Icon of={ChevronRight} size={13} />
            </li>
          ) : (
            <li>No manager</li>
          )}
        </ol>
      </nav>
      <CycleNote cycle={cycle} />
    </>
  )
}
