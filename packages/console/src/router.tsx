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
import { attendanceSearch } from './screens/attendance/search.ts'
import { careerSiteSearch, careerSitesSearch } from './screens/career-sites/search.ts'
import { dataSearch } from './screens/data/search.ts'
import { headcountSearch } from './screens/headcount/search.ts'
import { healthSearch } from './screens/health/search.ts'
import { funnelSearch, openingsSearch, sourcesSearch, timeToHireSearch } from './screens/hiring/search.ts'
import { leaveSearch } from './screens/leave/search.ts'
import { orgSearch } from './screens/org/search.ts'
import { peopleSearch } from './screens/people/search.ts'
import { keepParameters, parseSearch, stringifySearch } from './search-parameters.ts'
import { consoleUrl } from './service/urls.ts'

const rootRoute = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  // The chosen day stays the same from screen to screen, also over screens that have none.
  validateSearch: keepParameters('as_of'),
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
const screen = (name: string) => {
  const file = `./screens/${name}.tsx`
  const load = modules[file]
  if (load === undefined) throw new Error(`There is no file ${file}`)
  return { component: lazyRouteComponent(load, name.split('/').at(-1)), staticData: { file } }
}

const routeTree = rootRoute.addChildren([
  indexRoute,
  createRoute({
    getParentRoute,
    path: '/today',
    ...screen('today/TodayScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/people',
    validateSearch: peopleSearch,
    ...screen('people/PeopleScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/people/$id',
    ...screen('person/PersonScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/org',
    validateSearch: orgSearch,
    ...screen('org/OrgScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/hiring',
    validateSearch: openingsSearch,
    ...screen('hiring/OpeningsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/hiring/openings/$id',
    ...screen('hiring/OpeningScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/hiring/funnel',
    validateSearch: funnelSearch,
    ...screen('hiring/FunnelScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/hiring/time-to-hire',
    validateSearch: timeToHireSearch,
    ...screen('hiring/TimeToHireScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/hiring/sources',
    validateSearch: sourcesSearch,
    ...screen('hiring/SourcesScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/hiring/career-sites',
    validateSearch: careerSitesSearch,
    ...screen('career-sites/CareerSitesScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/hiring/career-sites/$id',
    validateSearch: careerSiteSearch,
    ...screen('career-sites/CareerSiteScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/leave',
    validateSearch: leaveSearch,
    ...screen('leave/LeaveScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/attendance',
    validateSearch: attendanceSearch,
    ...screen('attendance/AttendanceScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/headcount',
    validateSearch: headcountSearch,
    ...screen('headcount/HeadcountScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/data',
    ...screen('data/ResourcesScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/data/$resource',
    validateSearch: dataSearch,
    ...screen('data/DataScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/health',
    validateSearch: healthSearch,
    ...screen('health/HealthScreen'),
  }),
])

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
