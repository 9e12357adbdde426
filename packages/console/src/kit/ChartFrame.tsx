import type { ComponentProps, ReactNode } from 'react'
import styles from './ChartFrame.module.css'
import { classes } from './classes.ts'
import { moveBetweenMarks } from './marks.ts'
import { useWidth } from './use-width.ts'

/** Where a tooltip points to, in pixels of the chart, and what it says. */
export interface Tip {
  readonly x: number
  readonly y: number
  readonly text: ReactNode
}

interface ChartFrameProps {
  readonly label: string
  readonly height: number
  readonly tip?: Tip | undefined
  /** How many marks are in a row, if the chart has several rows. The keys up and down move between them. */
  readonly columns?: number
  /** Draws the chart for a width in pixels. */
  readonly children: (width: number) => ReactNode
}

/**
 * The drawing area of a chart. It is one stop of the Tab key; arrow keys move between its marks. The elements in it say
 * with `data-ink` how they are drawn: `first` and `second` for the two series, `base` for what is ordinary, `line` and
 * `area`, `open` for a month that is not over, `dashed`, `axis`, `grid`, `label` and `strong` for texts, and `hit` for the
 * area of a mark that reacts to the pointer.
 */
export const ChartFrame = ({ label, height, tip, columns, children }: ChartFrameProps) => {
  const [ref, width] = useWidth<HTMLDivElement>()
  return (
    <div ref={ref} className={styles.frame} style={{ blockSize: height }}>
      {width === 0 ? undefined : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold a drawing
        <svg
          className={styles.chart}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label={label}
          onKeyDown={moveBetweenMarks(columns)}
        >
          {children(width)}
        </svg>
      )}
      {/* Screen readers hear the same words as the name of the mark. */}
      {tip === undefined ? undefined : (
        <div
          aria-hidden
          className={classes(styles.tip, tip.x > width / 2 && styles.before)}
          style={{ insetInlineStart: tip.x, insetBlockStart: tip.y }}
        >
          {tip.text}
        </div>
      )}
    </div>
  )
}

/** A drawing inside something else that is a chart: a line beside a figure. */
export const ChartDrawing = ({ className, ...props }: ComponentProps<'svg'>) => (
  <svg {...props} className={classes(styles.chart, className)} />
)
