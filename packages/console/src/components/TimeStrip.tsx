import type { ReactNode } from 'react'
import { useLayoutEffect, useRef } from 'react'

interface TimeStripProps {
  /** The number of steps of time. */
  readonly length: number
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A picture of a long time that scrolls sideways. It opens at the newest end. */
export const TimeStrip = ({ length, className, children }: TimeStripProps) => {
  const ref = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another length is another strip
  useLayoutEffect(() => {
    if (ref.current !== null) ref.current.scrollLeft = ref.current.scrollWidth
  }, [length])
  return (
    <div className={className} ref={ref}>
      {children}
    </div>
  )
}
