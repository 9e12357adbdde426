/**
 * What the page of a screen shows before the console has started: the frame, and the title and question of the screen.
 * The build writes it into the page. It contains nothing that depends on data or on the day.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { BackLink } from '../components/BackLink.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { router } from '../router.tsx'
import { SessionProvider } from '../service/session.tsx'
import { Brand } from './Brand.tsx'
import styles from './Frame.module.css'
import { PhoneSubTabs, PhoneTabs, Rail } from './Navigation.tsx'
import { isWorkList, titleOf } from './screens.ts'
import { TopBar } from './TopBar.tsx'
import { useOpenPlace } from './use-open-place.ts'

export interface FirstPaint {
  /** The path of the screen, such as `/people/$id`. */
  readonly path: string
  /** The file of the screen, relative to the router. */
  readonly file: string
  readonly html: string
}

export const firstPaints = async (): Promise<FirstPaint[]> => {
  const paints: FirstPaint[] = []
  for (const { fullPath: path, options } of Object.values(router.routesByPath)) {
    const file = options.staticData?.file
    if (file !== undefined) paints.push({ path, file, html: await renderFrame(path) })
  }
  return paints
}

/** Renders without the screen, so with a router that knows its path only. */
const renderFrame = async (path: string): Promise<string> => {
  const rootRoute = createRootRoute({ component: FrameOfScreen })
  const frameRouter = createRouter({
    routeTree: rootRoute.addChildren([createRoute({ getParentRoute: () => rootRoute, path })]),
    history: createMemoryHistory({ initialEntries: [path.replaceAll('$', '')] }),
  })
  await frameRouter.load()
  return renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <SessionProvider>
        <RouterProvider router={frameRouter} />
      </SessionProvider>
    </QueryClientProvider>,
  )
}

/** Inert: whatever is typed or pressed here would be lost when the script replaces it. */
const FrameOfScreen = () => {
  const { screen } = useOpenPlace()
  const question = screen?.question
  return (
    <div className={styles.frame} data-first-paint inert>
      <header className={styles.header}>
        <Brand />
        <TopBar />
      </header>
      <Rail />
      <main className={styles.main}>
        <PhoneSubTabs />
        {screen === undefined || question === undefined ? undefined : (
          <PageHead
            above={isWorkList(screen.path) ? <BackLink to="/today" /> : undefined}
            title={titleOf(screen.path)}
            question={question}
          />
        )}
      </main>
      <PhoneTabs />
    </div>
  )
}
