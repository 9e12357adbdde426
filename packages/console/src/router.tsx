import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
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
  // The day for which figures are shown stays the same from screen to screen.
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

/** Each screen is a chunk of its own, which is loaded with the first visit. */
const routeTree = rootRoute.addChildren([
  indexRoute,
  createRoute({
    getParentRoute,
    path: '/today',
    component: lazyRouteComponent(() => import('./screens/today/TodayScreen.tsx'), 'TodayScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/people',
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./screens/people/PeopleScreen.tsx'), 'PeopleScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/people/$id',
    component: lazyRouteComponent(() => import('./screens/person/PersonScreen.tsx'), 'PersonScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/org',
    validateSearch: orgSearch,
    component: lazyRouteComponent(() => import('./screens/org/OrgScreen.tsx'), 'OrgScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/hiring',
    validateSearch: openingsSearch,
    component: lazyRouteComponent(() => import('./screens/hiring/OpeningsScreen.tsx'), 'OpeningsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/hiring/openings/$id',
    component: lazyRouteComponent(() => import('./screens/hiring/OpeningScreen.tsx'), 'OpeningScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/hiring/funnel',
    validateSearch: funnelSearch,
    component: lazyRouteComponent(() => import('./screens/hiring/FunnelScreen.tsx'), 'FunnelScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/hiring/time-to-hire',
    validateSearch: timeToHireSearch,
    component: lazyRouteComponent(() => import('./screens/hiring/TimeToHireScreen.tsx'), 'TimeToHireScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/hiring/sources',
    validateSearch: sourcesSearch,
    component: lazyRouteComponent(() => import('./screens/hiring/SourcesScreen.tsx'), 'SourcesScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/hiring/career-sites',
    validateSearch: careerSitesSearch,
    component: lazyRouteComponent(() => import('./screens/career-sites/CareerSitesScreen.tsx'), 'CareerSitesScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/hiring/career-sites/$id',
    validateSearch: careerSiteSearch,
    component: lazyRouteComponent(() => import('./screens/career-sites/CareerSiteScreen.tsx'), 'CareerSiteScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/leave',
    validateSearch: leaveSearch,
    component: lazyRouteComponent(() => import('./screens/leave/LeaveScreen.tsx'), 'LeaveScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/attendance',
    validateSearch: attendanceSearch,
    component: lazyRouteComponent(() => import('./screens/attendance/AttendanceScreen.tsx'), 'AttendanceScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/headcount',
    validateSearch: headcountSearch,
    component: lazyRouteComponent(() => import('./screens/headcount/HeadcountScreen.tsx'), 'HeadcountScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/data',
    component: lazyRouteComponent(() => import('./screens/data/ResourcesScreen.tsx'), 'ResourcesScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/data/$resource',
    validateSearch: dataSearch,
    component: lazyRouteComponent(() => import('./screens/data/DataScreen.tsx'), 'DataScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/health',
    validateSearch: healthSearch,
    component: lazyRouteComponent(() => import('./screens/health/HealthScreen.tsx'), 'HealthScreen'),
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
}
