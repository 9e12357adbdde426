import type { ReactNode } from 'react'
import { PersonName } from '../../components/PersonName.tsx'
import { DotList, DotListItem } from '../../kit/DotList.tsx'
import styles from './ChainList.module.css'
import type { ChartRow } from './use-chain.ts'

interface ChainListProps {
  readonly managers: readonly ChartRow[]
  /** The person below all of them. */
  readonly children: ReactNode
}

/** Managers from the top of the company down to a person. */
export const ChainList = ({ managers, children }: ChainListProps) => (
  <DotList size="small">
    {managers.map((row) => (
      <DotListItem key={row.id}>
        <span className={styles.text}>
          <PersonName
            person={{ id: Number(row.id), first_name: row.first_name ?? null, last_name: row.last_name ?? null }}
          />{' '}
          <span className="muted">{row.designation}</span>
        </span>
      </DotListItem>
    ))}
    <DotListItem mark="accent" isCurrent>
      <span className={styles.text}>{children}</span>
    </DotListItem>
  </DotList>
)
