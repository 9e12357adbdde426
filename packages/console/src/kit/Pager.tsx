import { ButtonLink } from './Button.tsx'
import styles from './Pager.module.css'

interface PagerProps {
  readonly label?: string
  readonly total: number
  readonly offset: number
  readonly shown: number
  /** The size of a page. */
  readonly size: number
  /** Whether there are links to the first and the last page too. */
  readonly hasEnds?: boolean
  /** The search parameters of another page. An open record is on the page that is left. */
  readonly searchOf?: (offset: string | undefined) => object
}

const format = new Intl.NumberFormat('en')

const defaultSearch = (offset: string | undefined) => ({ offset, open: undefined })

/** Links to the other pages of a list. Nothing if everything is on one page. */
export const Pager = ({
  label = 'Pages',
  total,
  offset,
  shown,
  size,
  hasEnds = false,
  searchOf = defaultSearch,
}: PagerProps) => {
  if (total <= size && offset === 0) return undefined
  const isFirst = offset === 0
  const isLast = offset + shown >= total
  const lastOffset = Math.max(0, (Math.ceil(total / size) - 1) * size)
  const steps = [
    { label: 'First', target: 0, isOffered: hasEnds && !isFirst },
    { label: 'Previous', target: Math.max(0, offset - size), isOffered: !isFirst },
    { label: 'Next', target: offset + size, isOffered: !isLast },
    { label: 'Last', target: lastOffset, isOffered: hasEnds && offset < lastOffset },
  ]
  return (
    <nav className={styles.pager} aria-label={label}>
      <span className="number">
        {shown === 0 ? undefined : `${format.format(offset + 1)} – ${format.format(offset + shown)} of `}
        {format.format(total)}
      </span>
      <span className={styles.links}>
        {steps
          .filter(({ isOffered }) => isOffered)
          .map(({ label, target }) => (
            <ButtonLink
              key={label}
              kind="bare"
              to="."
              search={(old: object) => ({ ...old, ...searchOf(target === 0 ? undefined : String(target)) })}
            >
              {label}
            </ButtonLink>
          ))}
      </span>
    </nav>
  )
}
