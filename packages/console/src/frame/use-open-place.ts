import { useLocation, useRouter } from '@tanstack/react-router'
import { navigationPlaceOf, screenAt } from './screens.ts'

/** The screen that the URL names, and its place in the navigation. The screen itself may still be loading. */
export const useOpenPlace = () => {
  const { getMatchedRoutes } = useRouter()
  const pathname = useLocation({ select: (location) => location.pathname })
  const [, { resource }, route] = getMatchedRoutes(pathname)
  const screen = screenAt(route?.fullPath)
  const place = screen && navigationPlaceOf(screen)
  return { screen, main: place?.main, tab: place?.tab, resource }
}
