import { Link, useRouter } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { PlainPath } from '../frame/screens.ts'
import { titleOf } from '../frame/screens.ts'
import { usePreviousVisit } from '../frame/visits.ts'
import { Icon } from '../kit/Icon.tsx'
import styles from './BackLink.module.css'

interface BackLinkProps {
  /** The list to which the record belongs, for readers who came by a link from elsewhere. */
  readonly to: PlainPath
}

/** Leads back to the screen from which this one was opened, as it was there: with its filters and where it was scrolled to. */
export const BackLink = ({ to }: BackLinkProps) => {
  const { history } = useRouter()
  const previous = usePreviousVisit()
  if (previous === undefined)
    return (
      <Link className={styles.back} to={to}>
        <Icon of={ArrowLeft} size={13} /> {titleOf(to)}
      </Link>
    )
  return (
    <a
      className={styles.back}
      href={previous.href}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        history.back()
      }}
    >
      <Icon of={ArrowLeft} size={13} /> <bdi>{previous.name}</bdi>
    </a>
  )
}
