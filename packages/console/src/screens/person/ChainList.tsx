import type { ReactNode } from 'react'
import { PersonName } from '../../components/PersonName.tsx'
import styles from './ChainList.module.css'
import type { ChartRow } from './use-chain.ts'

interface ChainListProps {
  readonly managers: readonly ChartRow[]
  /** The person below all of them. */
  readonly children: ReactNode
}

/** Managers from the top of the company down to a person. */
export const ChainList = ({ managers, children }: ChainListProps) => (
  <ol className={styles.chain}>
    {managers.map((row) => (
      <li key={row.id}>
        <span className={styles.text}>
          <PersonName
            person={{ id: Number(row.id), first_name: row.first_name ?? null, last_name: row.last_name ?? null }}
          />{' '}
          <span className="muted">{row.designation}</span>
        </span>
      </li>
    ))}
    <li className={styles.current} aria-current="true">
      <span className={styles.text}>{children}</span>
    </li>
  </ol>
)
