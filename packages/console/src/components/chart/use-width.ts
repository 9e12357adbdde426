import type { RefObject } from 'react'
import { useLayoutEffect, useRef, useState } from 'react'

/**
 * The width of an element in CSS pixels, kept up to date. Charts are drawn for the width they get, so that text keeps
 * its size on phones. 0 before the first layout.
 */
export const useWidth = <E extends Element>(): readonly [RefObject<E | null>, number] => {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const measure = () => setWidth(Math.floor(element.getBoundingClientRect().width))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
