import { useIsFetching } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Shared by all components that ask, and by those that are mounted later. */
let hasBeen = false

/**
 * False until the first screen has been loaded and all its requests have ended. What the frame shows in addition is
 * requested only then, so that it does not delay the screen.
 */
export const useIsAfterFirstPicture = (): boolean => {
  const [isAfter, setIsAfter] = useState(hasBeen)
  const isLoaded = useRouterState({ select: ({ status }) => status === 'idle' })
  const isQuiet = useIsFetching() === 0 && isLoaded
  useEffect(() => {
    if (isAfter || !isQuiet) return
    // A screen may send its next request as a consequence of the last one.
    const timer = setTimeout(() => {
      hasBeen = true
      setIsAfter(true)
    }, 50)
    return () => clearTimeout(timer)
  }, [isAfter, isQuiet])
  return isAfter
}
