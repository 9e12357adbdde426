import { Link } from '@tanstack/react-router'
import { formatInteger } from '../format/numbers.ts'
import buttonStyles from './Button.module.css'
import styles from './Pager.module.css'

interface PagerProps {
  readonly total: number
  readonly offset: number
  readonly shown: number
  /** The size of a page. */
  readonly size: number
}

/** Nothing if everything is on one page. */
export const Pager = ({ total, offset, shown, size }: PagerProps) =>
  total <= size && offset === 0 ? undefined : (
    <nav className={styles.pager} aria-label="Pages">
      <span className="number">
        {shown === 0 ? undefined : `${formatInteger(offset + 1)} – ${formatInteger(offset + shown)} of `}
        {formatInteger(total)}
      </span>
      <span className={styles.links}>
        {offset === 0 ? undefined : <Step label="Previous" offset={Math.max(0, offset - size)} />}
        {offset + shown >= total ? undefined : <Step label="Next" offset={offset + size} />}
      </span>
    </nav>
  )

const Step = ({ label, offset }: { readonly label: string; readonly offset: number }) => (
  <Link
    className={`${buttonStyles.button} ${buttonStyles.bare}`}
    to="."
    // An open record is on the page that is left.
    search={(old: object) => ({ ...old, offset: offset === 0 ? undefined : String(offset), open: undefined })}
  >
    {label}
  </Link>
)
