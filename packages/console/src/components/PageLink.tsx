import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../kit/Icon.tsx'
import styles from './PageLink.module.css'

interface PageLinkProps {
  readonly href: string
  /** Names the page for screen readers, where the text alone does not. */
  readonly label?: string | undefined
  readonly children: ReactNode
}

/** A link to a public page, which opens in another tab. */
export const PageLink = ({ href, label, children }: PageLinkProps) => (
  <a className={`link ${styles.page}`} href={href} target="_blank" rel="noreferrer" aria-label={label}>
    {children}
    <Icon of={ExternalLink} size={13} />
  </a>
)
