import type { Page } from '@muster/client'
import { Button } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { formatInteger } from '../../format/numbers.ts'
import type { Row } from './list-query.ts'
import styles from './Pager.module.css'
import { useExplorer } from './use-explorer.ts'

/** Pages of a sorted or searched list. */
export const Pager = ({ page: { data, meta } }: { readonly page: Page<Row> }) => {
  const { change } = useExplorer()
  const { total, limit, offset } = meta
  const goTo = (next: number): void => change({ offset: next <= 0 ? undefined : String(next) })
  const last = Math.max(0, (Math.ceil(total / limit) - 1) * limit)
  const pages = [
    { label: 'First', target: 0, isPossible: offset > 0 },
    { label: 'Previous', target: offset - limit, isPossible: offset > 0 },
    { label: 'Next', target: offset + limit, isPossible: offset + limit < total },
    { label: 'Last', target: last, isPossible: offset < last },
  ]
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span className="number">
        {data.length === 0
          ? `No rows from ${formatInteger(offset + 1)} on`
          : `${formatInteger(offset + 1)} – ${formatInteger(offset + data.length)} of ${formatInteger(total)}`}
      </span>
      <span className={styles.buttons}>
        {pages.map(({ label, target, isPossible }) => (
          <Button
            key={label}
            className={`${buttonStyles.button} ${buttonStyles.bare}`}
            isDisabled={!isPossible}
            onPress={() => goTo(target)}
          >
            {label}
          </Button>
        ))}
      </span>
    </nav>
  )
}
