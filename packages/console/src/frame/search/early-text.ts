import { useEffect, useState } from 'react'

/** What was typed after the search was opened and before its code was loaded. */
let earlyText = ''

/** The text of the search, which begins with what was typed before the search was shown. */
export const useSearchText = () => {
  // React may render a component several times before it is shown, so reading must not change anything.
  const [text, setText] = useState(() => earlyText)
  useEffect(() => {
    // Keys that were pressed after the first rendering are collected until here.
    if (earlyText !== '') setText(earlyText)
    earlyText = ''
  }, [])
  return [text, setText] as const
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
