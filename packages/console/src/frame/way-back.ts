/** From which screen each screen was opened, in the navigations of this page, so that a link can lead back to it as it was. */
import { useLocation, useMatch, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../service/session.tsx'
import type { PlainPath } from './screens.ts'
import { screenAt, titleOf } from './screens.ts'

interface Origin {
  /** The key of its entry in the history of the tab, which stays the same when the reader goes back and forward. */
  readonly key: string
  readonly pathname: string
  readonly href: string
  /** Its position in the history of the tab. */
  readonly index: number
}

/** By the key of the entry that was opened from it. */
const origins = new Map<string, Origin>()

interface Title {
  readonly text: string
  /** The number of the session in which it was read. */
  readonly session: number
}

/** Titles of screens, such as the name of a person, by the key of the entry. */
const titles = new Map<string, Title>()

/** Notes for each new entry of the history from which screen it was opened. The pages of a list have the same origin. */
export const useOriginRecorder = (): void => {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onBeforeLoad', ({ fromLocation, toLocation }) => {
        const { __TSR_key: key } = toLocation.state
        if (fromLocation === undefined || key === undefined || origins.has(key)) return
        const { pathname, publicHref, state } = fromLocation
        const fromKey = state.__TSR_key ?? ''
        const origin =
          pathname === toLocation.pathname
            ? origins.get(fromKey)
            : { key: fromKey, pathname, href: router.history.createHref(publicHref), index: state.__TSR_index }
        if (origin !== undefined) origins.set(key, origin)
      }),
    [router],
  )
}

const useEntry = () => {
  const { pathname, state } = useLocation()
  const shown = useMatch({ strict: false }).pathname
  // The URL changes before the screen does.
  return { key: state.__TSR_key ?? '', index: state.__TSR_index, isLeaving: pathname !== shown }
}

/** Notes the title of the open screen. Undefined until it is known. */
export const useTitle = (text: string | undefined): void => {
  const { key, isLeaving } = useEntry()
  const { number: session } = useSession()
  useEffect(() => {
    if (!isLeaving && text !== undefined) titles.set(key, { text, session })
  })
}

interface WayBack {
  readonly label: string
  readonly href: string
  readonly go: () => void
}

/**
 * The way back to the screen from which this one was opened, with its filters and its scroll position. For readers who came
 * by a link from elsewhere it leads to `fallback`.
 */
export const useWayBack = (fallback: PlainPath): WayBack => {
  const router = useRouter()
  const { number: session } = useSession()
  const { key, index, isLeaving } = useEntry()
  const found = origins.get(key)
  const [origin, setOrigin] = useState(found)
  if (!isLeaving && found !== origin) setOrigin(found)
  if (origin !== undefined) {
    const title = titles.get(origin.key)
    const screen = screenAt(router.getMatchedRoutes(origin.pathname)[2]?.fullPath)
    return {
      label: title?.session === session ? title.text : (screen?.label ?? 'Back'),
      href: origin.href,
      go: () => router.history.go(origin.index - index),
    }
  }
  return {
    label: titleOf(fallback),
    href: router.history.createHref(router.buildLocation({ to: fallback }).publicHref),
    go: () => void router.navigate({ to: fallback }),
  }
}
