import { useEffect, useState } from 'react'

/** What was typed after the search was opened and before its code was loaded. */
let earlyText = ''

/** The text that the search begins with. It is forgotten once the search is shown. */
export const useEarlyText = (): string => {
  // React may render a component several times before it is shown, so reading must not change anything.
  const [text] = useState(() => earlyText)
  useEffect(() => {
    earlyText = ''
  }, [])
  return text
}

/** Collects what is typed. Stands in place of the search until its code has been loaded. */
export const EarlyText = (): undefined => {
  useEffect(() => {
    const collect = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Backspace') earlyText = earlyText.slice(0, -1)
      else if ([...event.key].length === 1) earlyText += event.key
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('keydown', collect, { capture: true })
    return () => removeEventListener('keydown', collect, { capture: true })
  }, [])
}
