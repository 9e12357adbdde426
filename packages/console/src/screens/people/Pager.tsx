import { Link } from '@tanstack/react-router'
import buttonStyles from '../../components/Button.module.css'
import pagerStyles from '../../components/Pager.module.css'
import { formatInteger } from '../../format/numbers.ts'
import styles from './Pager.module.css'
import { pageSize } from './people-query.ts'
import type { PeopleSearch } from './search.ts'

interface PagerProps {
  readonly offset: number
  /** How many people the page has. */
  readonly shown: number
  readonly total: number
}

export const Pager = ({ offset, shown, total }: PagerProps) => (
  <nav className={pagerStyles.pager} aria-label="Pages">
    <span className="number">
      {formatInteger(offset + 1)} – {formatInteger(offset + shown)} of {formatInteger(total)}
    </span>
    <span className={styles.links}>
      <PageLink label="Previous" offset={offset === 0 ? undefined : Math.max(0, offset - pageSize)} />
      <PageLink label="Next" offset={offset + shown >= total ? undefined : offset + pageSize} />
    </span>
  </nav>
)

const PageLink = ({ label, offset }: { readonly label: string; readonly offset: number | undefined }) =>
  offset === undefined ? (
    <span className={`${buttonStyles.button} ${buttonStyles.bare}`} aria-hidden data-disabled>
      {label}
    </span>
  ) : (
    <Link
      className={`${buttonStyles.button} ${buttonStyles.bare}`}
      to="/people"
      search={(search: PeopleSearch) => ({
        ...search,
        offset: offset === 0 ? undefined : String(offset),
        open: undefined,
      })}
    >
      {label}
    </Link>
  )
