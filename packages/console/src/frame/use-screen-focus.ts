import { useRouter } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { useEffect, useState } from 'react'

/**
 * Moves the focus to the heading of a screen when it has been opened, and returns the title to announce. Without this, the
 * focus would stay on a link that no longer exists, and screen readers would say nothing.
 */
export const useScreenFocus = (main: RefObject<HTMLElement | null>): string => {
  const router = useRouter()
  const [title, setTitle] = useState('')
  useEffect(() => {
    // The first screen is read by the screen reader itself.
    let isFirst = true
    const focusHeading = (): void => {
      const heading = main.current?.querySelector<HTMLElement>('h1')
      const target = heading ?? main.current
      target?.setAttribute('tabindex', '-1')
      target?.focus({ preventScroll: true })
    }
    const subscriptions = [
      router.subscribe('onBeforeLoad', ({ fromLocation }) => {
        if (fromLocation !== undefined) isFirst = false
      }),
      router.subscribe('onRendered', ({ pathChanged }) => {
        if (!isFirst && pathChanged) focusHeading()
      }),
    ]
    // A screen sets its title when it knows it: the name of a person comes with the first response. The heading may then
    // be replaced, and with it the focus is lost.
    const observer = new MutationObserver(() => {
      if (isFirst) return
      setTitle(document.title)
      if (document.activeElement === document.body) focusHeading()
    })
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => {
      for (const unsubscribe of subscriptions) unsubscribe()
      observer.disconnect()
    }
  }, [router, main])
  return title
}
