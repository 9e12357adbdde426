/** What a canvas has to know about the page: its size, the density of the screen, the colours and the font. */
import type { RefObject } from 'react'
import { useEffect, useState } from 'react'

export interface CanvasSize {
  readonly width: number
  readonly height: number
  readonly pixelRatio: number
}

/** The size of an element, again after each change of it, of the zoom, or of the screen. */
export const useCanvasSize = (element: RefObject<HTMLElement | null>): CanvasSize | undefined => {
  const [size, setSize] = useState<CanvasSize>()
  useEffect(() => {
    const target = element.current
    if (target === null) return
    const measure = () =>
      setSize({ width: target.clientWidth, height: target.clientHeight, pixelRatio: devicePixelRatio })
    const observer = new ResizeObserver(measure)
    observer.observe(target)
    let density = matchMedia(`(resolution: ${devicePixelRatio}dppx)`)
    const onDensity = () => {
      density.removeEventListener('change', onDensity)
      density = matchMedia(`(resolution: ${devicePixelRatio}dppx)`)
      density.addEventListener('change', onDensity)
      measure()
    }
    density.addEventListener('change', onDensity)
    return () => {
      observer.disconnect()
      density.removeEventListener('change', onDensity)
    }
  }, [element])
  return size
}

export interface CanvasStyle<N extends string> {
  readonly colors: Readonly<Record<N, string>>
  readonly fontFamily: string
  /** Size of small text in pixels, which follows the reader's own setting. */
  readonly fontSize: number
}

/**
 * Custom properties hold `light-dark()` pairs, which a canvas does not understand. An element that uses them has the
 * colours of the present theme.
 */
const readStyle = <N extends string>(parent: HTMLElement, names: readonly N[]): CanvasStyle<N> => {
  const probe = document.createElement('span')
  probe.hidden = true
  probe.style.fontSize = 'var(--t-12)'
  parent.append(probe)
  const computed = getComputedStyle(probe)
  const colors = Object.fromEntries(
    names.map((name) => {
      probe.style.color = `var(${name})`
      return [name, computed.color]
    }),
  ) as Record<N, string>
  const { fontFamily } = computed
  const fontSize = Number.parseFloat(computed.fontSize)
  probe.remove()
  return { colors, fontFamily, fontSize }
}

/** The colours and the font, again after each change of the theme and once the font has loaded. */
export const useCanvasStyle = <N extends string>(
  element: RefObject<HTMLElement | null>,
  names: readonly N[],
): CanvasStyle<N> | undefined => {
  const [style, setStyle] = useState<CanvasStyle<N>>()
  useEffect(() => {
    const target = element.current
    if (target === null) return
    const read = () => setStyle(readStyle(target, names))
    read()
    void document.fonts.ready.then(read)
    const observer = new MutationObserver(read)
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', read)
    return () => {
      observer.disconnect()
      scheme.removeEventListener('change', read)
    }
  }, [element, names])
  return style
}
