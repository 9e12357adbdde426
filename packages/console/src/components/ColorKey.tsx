import styles from './ColorKey.module.css'
import { stepColors } from './step-colors.ts'

interface ColorKeyProps {
  /** What the lightest and the darkest colour mean. */
  readonly from: string
  readonly to: string
}

/** The sequential colours of a chart. */
export const ColorKey = ({ from, to }: ColorKeyProps) => (
  <p className={styles.key}>
    {from}
    <span className={styles.swatches} aria-hidden>
      {[0, 1, 2, 3, 4, 5, 6].map((step) => (
        <span key={step} className={styles.swatch} style={stepColors(step)} />
      ))}
    </span>
    {to}
  </p>
)
