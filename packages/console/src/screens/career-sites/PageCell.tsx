import { PageLink } from '../../components/PageLink.tsx'
import { pageUrl } from '../../service/requests.ts'
import styles from './CareerSites.module.css'

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
