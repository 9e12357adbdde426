/** The screens that were open before the present one, so that a link can lead back to one as it was. */
import { useLocation, useMatch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../service/session.tsx'

interface Visit {
  readonly pathname: string
  readonly href: string
  /** The title of the screen, such as the name of a person. */
  readonly name: string
  /** The number of the session in which the name was read. */
  readonly session: number
}

/** By their place in the history of the browser. */
const visits = new Map<number, Visit>()

const usePlace = () => {
  const { pathname, state } = useLocation()
  const shown = useMatch({ strict: false }).pathname
  const { number: session } = useSession()
  // The URL changes before the screen does.
  return { index: state.__TSR_index, pathname, session, isLeaving: pathname !== shown }
}

/** Notes the name of the open screen. Undefined until it is known. */
export const useVisit = (name: string | undefined): void => {
  const { index, pathname, session, isLeaving } = usePlace()
  useEffect(() => {
    if (isLeaving) return
    // What was ahead of this place can no longer be reached, or notes itself again.
    for (const other of visits.keys()) if (other > index) visits.delete(other)
    if (name !== undefined) visits.set(index, { pathname, href: location.href, name, session })
  })
}

/** The screen before this one in the history of the browser, if it is known and another one. */
export const usePreviousVisit = (): Visit | undefined => {
  const { index, pathname, session, isLeaving } = usePlace()
  const found = visits.get(index - 1)
  const previous = found?.pathname === pathname || found?.session !== session ? undefined : found
  const [shown, setShown] = useState(previous)
  if (!isLeaving && previous !== shown) setShown(previous)
  return shown
}
