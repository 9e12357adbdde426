import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { Frame } from './frame/Frame.tsx'
import { NotFound } from './frame/NotFound.tsx'
import { ScreenError } from './frame/ScreenError.tsx'
import type { ScreenPath, Screens, SearchOf } from './frame/screens.ts'
import { screens } from './frame/screens.ts'
import { parseSearch, readSearch, stringifySearch } from './search-parameters.ts'
import { consoleUrl } from './service/urls.ts'

const rootRoute = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  // The chosen day stays the same from screen to screen, also over screens that have none.
  validateSearch: (search: Record<string, unknown>): { readonly as_of?: string | undefined } =>
    readSearch(['as_of'], search),
  search: { middlewares: [retainSearchParams<{ as_of?: string }>(['as_of'])] },
})

const getParentRoute = () => rootRoute

const indexRoute = createRoute({
  getParentRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/today', replace: true })
  },
})

const modules = import.meta.glob<Readonly<Record<string, ComponentType>>>('./screens/*/*Screen.tsx')

/**
 * Each screen is a chunk of its own, which is loaded with the first visit. The build reads the name of the file, so
 * that the page of a screen can name the chunk.
 */
const screenRoute = <P extends ScreenPath>({
  path,
  file: name,
  parameters,
}: Screens[number] & { readonly path: P }) => {
  const file = `./screens/${name}.tsx`
  const load = modules[file]
  if (load === undefined) throw new Error(`There is no file ${file}`)
  return createRoute({
    getParentRoute,
    path,
    validateSearch: (search: Record<string, unknown>): SearchOf<P> => readSearch(parameters, search) as SearchOf<P>,
    component: lazyRouteComponent(load, name.split('/').at(-1)),
    staticData: { file },
  })
}

type ScreenRoutes<S extends readonly { readonly path: ScreenPath }[]> = {
  [I in keyof S]: ReturnType<typeof screenRoute<S[I]['path']>>
}

/** TypeScript takes the result of `map` for an array, but the paths of the links are checked against each single route. */
const routes = screens.map((screen) => screenRoute(screen)) as unknown as ScreenRoutes<Screens>
const routeTree = rootRoute.addChildren([indexRoute, ...routes])

export const router = createRouter({
  routeTree,
  basepath: consoleUrl.pathname.replace(/\/$/, ''),
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultErrorComponent: (props) => <ScreenError {...props} />,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** The file of the screen, relative to this one. */
    readonly file?: string
  }
}
