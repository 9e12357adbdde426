import styles from './Bullet.module.css'

interface BulletProps {
  /** Undefined if there is only the usual value. */
  readonly value: number | undefined
  /** Undefined if it is not known. */
  readonly usual: number | undefined
  /** The end of the scale, which all bars beside each other share. */
  readonly end: number
}

/** A bar from zero with a tick at the usual value. What is beyond the tick has the colour. */
export const Bullet = ({ value, usual, end }: BulletProps) => {
  const part = (length: number) => `${(Math.min(length, end) / end) * 100}%`
  const ordinary = Math.min(value ?? 0, usual ?? Number.POSITIVE_INFINITY)
  return (
    <span className={styles.bullet} aria-hidden>
      {value === undefined ? undefined : (
        <>
          <i style={{ inlineSize: part(ordinary) }} />
          <i style={{ inlineSize: part(value - ordinary) }} />
        </>
      )}
      {usual === undefined ? undefined : <b style={{ insetInlineStart: part(usual) }} />}
    </span>
  )
}
