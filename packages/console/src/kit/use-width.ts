import type { RefObject } from 'react'
import { useLayoutEffect, useRef, useState } from 'react'

/** A length of an element, kept up to date. 0 before the first layout. `measure` must be the same function each time. */
export const useMeasure = <E extends Element>(
  measure: (element: E) => number,
): readonly [RefObject<E | null>, number] => {
  const ref = useRef<E>(null)
  const [length, setLength] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const update = () => setLength(measure(element))
    update()
    const observer = new ResizeObserver(update)
    observer.observe(element)
    return () => observer.disconnect()
  }, [measure])
  return [ref, length]
}

const widthOf = (element: Element): number => Math.floor(element.getBoundingClientRect().width)

/** The width of an element in CSS pixels. Charts are drawn for the width they get, so that text keeps its size on phones. */
export const useWidth = <E extends Element>(): readonly [RefObject<E | null>, number] => useMeasure<E>(widthOf)
