import { formatWeekday } from '../format/dates.ts'
import { useAsOf } from '../service/use-as-of.ts'
import styles from './Brand.module.css'
import { useCompanyName } from './frame-queries.ts'

export const Brand = () => {
  const name = useCompanyName()
  return (
    <div className={styles.brand}>
      Muster
      {name === undefined ? undefined : (
        <small className={styles.company} title={name}>
          <bdi>{name}</bdi>
        </small>
      )}
    </div>
  )
}

/** On paper: whose figures these are, and of which day. */
export const PrintHead = () => {
  const name = useCompanyName()
  const asOf = useAsOf()
  return (
    <p className={styles.print}>
      <span>
        <b>Muster</b> <bdi>{name}</bdi>
      </span>
      <span>As of {formatWeekday(asOf)}</span>
    </p>
  )
}
