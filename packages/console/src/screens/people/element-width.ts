import type { RefObject } from 'react'
import { useLayoutEffect, useState, useSyncExternalStore } from 'react'

/** The width of an element in pixels, and 0 until it is known. */
export const useWidth = (element: RefObject<HTMLElement | null>): number => {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const measure = () => setWidth(current.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [element])
  return width
}

const phone = '(max-width: 699px)'

export const useIsPhone = (): boolean =>
  useSyncExternalStore(
    (notify) => {
      const query = matchMedia(phone)
      query.addEventListener('change', notify)
      return () => query.removeEventListener('change', notify)
    },
    () => matchMedia(phone).matches,
  )
