import { useEffect, useState } from 'react'
import { useKeyCatcher } from '../key-handlers.ts'

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
  useKeyCatcher(collect)
}

const collect = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
  if (ctrlKey || metaKey || altKey) return false
  const isLetter = [...key].length === 1
  if (key === 'Backspace') earlyText = earlyText.slice(0, -1)
  else if (isLetter) earlyText += key
  return isLetter || key === 'Backspace'
}
