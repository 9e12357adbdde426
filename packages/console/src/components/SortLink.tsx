import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { Icon } from '../kit/Icon.tsx'
import styles from './SortLink.module.css'

interface SortLinkProps {
  readonly title: string
  /** The search parameter `sort` that the link sets. */
  readonly sort: string | undefined
  /** The present order, if it is by this column. */
  readonly order: 'ascending' | 'descending' | undefined
}

/** The head of a column by which a table can be sorted. */
export const SortLink = ({ title, sort, order }: SortLinkProps) => (
  <Link to="." search={(old: object) => ({ ...old, sort, offset: undefined })} className={styles.sort}>
    {title}
    {order === undefined ? undefined : <Icon of={order === 'descending' ? ArrowDown : ArrowUp} size={13} />}
  </Link>
)
