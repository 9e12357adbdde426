import { useMemo, useSyncExternalStore } from 'react'

/** The height of a record on a phone, in rem: its name and one or two lines with the other columns. */
export const lineHeight = (columns: number): number => (columns <= 5 ? 4 : 5)
/** The filters below the head of the table, in rem. */
export const filtersHeight = 2.25
const headHeight = 2

/** Density is an attribute of the root element. */
const subscribe = (notify: () => void) => {
  const observer = new MutationObserver(notify)
  observer.observe(document.documentElement, { attributeFilter: ['data-density'] })
  return () => observer.disconnect()
}

const rowSize = (): string => {
  const style = getComputedStyle(document.documentElement)
  return `${style.fontSize} ${style.getPropertyValue('--row')}`
}

interface RowSizes {
  readonly rowHeight: number
  readonly headHeight: number
}

/** Heights in pixels: the reader may have another font size or density. */
export const useRowSizes = (isPhone: boolean, columns: number): RowSizes => {
  const size = useSyncExternalStore(subscribe, rowSize)
  return useMemo(() => {
    const [rem = 16, row = 2] = size.split(' ').map(Number.parseFloat)
    return isPhone
      ? { rowHeight: lineHeight(columns) * rem, headHeight: 0 }
      : { rowHeight: row * rem, headHeight: (headHeight + filtersHeight) * rem }
  }, [isPhone, columns, size])
}
