import { ArrowLeft } from 'lucide-react'
import type { PlainPath } from '../frame/screens.ts'
import { useWayBack } from '../frame/way-back.ts'
import { Icon } from '../kit/Icon.tsx'
import styles from './BackLink.module.css'

interface BackLinkProps {
  /** Where the link leads for readers who came by a link from elsewhere. */
  readonly to: PlainPath
}

/** Leads back to the screen from which this one was opened, as the browser does. */
export const BackLink = ({ to }: BackLinkProps) => {
  const { label, href, go } = useWayBack(to)
  return (
    <a
      className={styles.back}
      href={href}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        go()
      }}
    >
      <Icon of={ArrowLeft} size={13} /> <bdi>{label}</bdi>
    </a>
  )
}
