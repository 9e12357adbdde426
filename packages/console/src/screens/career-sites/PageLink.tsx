import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../../kit/Icon.tsx'
import { pageUrl } from '../../service/requests.ts'
import styles from './CareerSites.module.css'

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

/** The last column of a table: a link to the page at this path, if there is one. */
export const pageColumn = { title: 'Page', className: styles.pageColumn }

export const PageCell = ({ path, label }: { readonly path: string | null; readonly label: string }) =>
  path === null ? (
    <span className="muted">none</span>
  ) : (
    <PageLink href={pageUrl(path)} label={label}>
      Open
    </PageLink>
  )
