/**
 * All screens. The router, the navigation, the search, the list of keys, the page of each screen, the browser tests and
 * the benchmark of the console are derived from this list.
 */
import type { SearchParameters } from '../search-parameters.ts'

interface Screen<P extends string = string> {
  /** As in the router: `$id` stands for any text. */
  readonly path: P
  /** The file below `screens/`, which exports a component of the same name. */
  readonly file: string
  readonly label: string
  /** The heading, if it is not the label. */
  readonly title?: string
  /** Opens the screen after `g`. Screens with a key are in the navigation. */
  readonly key?: string
  /** The question that the screen answers. It stands below its title. */
  readonly question?: string
  /** The search parameters, which are the state of the screen. */
  readonly parameters: readonly string[] | 'all'
  /** The screen above. One without parameters in its path is a tab there. */
  readonly parent?: string
  /** The label of the screen among its own tabs. */
  readonly tab?: string
  /**
   * Whether the figures are computed from dates, for a day that the reader chooses. There is no history of other values,
   * so all other screens show the present.
   */
  readonly isDated?: true
  /** Whether the screen is about the data instead of the company. */
  readonly isAboutData?: true
}

export const screens = [
  {
    path: '/today',
    file: 'today/TodayScreen',
    label: 'Today',
    key: 't',
    question: 'What needs attention?',
    parameters: [],
  },
  {
    path: '/today/approvals',
    file: 'work-lists/ApprovalsScreen',
    label: 'Leave that began undecided',
    parent: '/today',
    question: 'Who is away without a decision, and who decides?',
    // Filters have the names of the API. `group`: only the rows of one group, from `offset` on.
    parameters: ['employee.dept_id', 'employee.manager_id', 'group', 'offset'],
  },
  {
    path: '/today/leave-soon',
    file: 'work-lists/LeaveSoonScreen',
    label: 'Leave that begins undecided',
    parent: '/today',
    question: 'Which leave begins soon without a decision, and who decides?',
    parameters: ['employee.dept_id', 'employee.manager_id', 'group', 'offset'],
  },
  {
    path: '/today/waiting',
    file: 'work-lists/WaitingScreen',
    label: 'Applications that wait too long',
    parent: '/today',
    question: 'Which candidates wait longer than usual, and for whom?',
    parameters: ['stage', 'job.dept_id', 'job.hiring_manager_id', 'job.status', 'group', 'offset'],
  },
  {
    path: '/today/past-target',
    file: 'work-lists/PastTargetScreen',
    label: 'Openings past target',
    parent: '/today',
    question: 'Which openings should be filled by now, and who is hiring?',
    parameters: ['dept_id', 'hiring_manager_id', 'location', 'offset'],
  },
  {
    path: '/today/dates',
    file: 'work-lists/DatesScreen',
    label: 'Coming dates',
    parent: '/today',
    question: 'Who joins, leaves or has a date soon?',
    // `kind`: as in `probation`. `from`, `to`: the period, by default the next 30 days. `group`: the Monday of a week.
    parameters: ['kind', 'dept_id', 'from', 'to', 'group', 'offset'],
  },
  {
    path: '/people',
    file: 'people/PeopleScreen',
    label: 'People',
    key: 'p',
    question: 'Find a person',
    parameters: ['q', 'dept_id', 'status', 'employment_type', 'branch', 'left', 'sort', 'offset', 'view', 'open'],
  },
  { path: '/people/$id', file: 'person/PersonScreen', label: 'Person', parent: '/people', parameters: [] },
  {
    path: '/org',
    file: 'org/OrgScreen',
    label: 'Org',
    key: 'o',
    question: 'Who reports to whom, and how large is each team?',
    // `person`: the person to show, with everybody above. `open`: the open people from the top down, or `none`. `more`:
    // the people whose folded reports are shown, 0 for the top.
    parameters: ['person', 'open', 'more'],
    isDated: true,
  },
  {
    path: '/org/managers',
    file: 'org/ManagersScreen',
    label: 'Managers',
    parent: '/org',
    question: 'Who leads how many people?',
    // `direct`: only managers with so many direct reports; `20-` for 20 or more.
    parameters: ['direct', 'sort', 'offset'],
    isDated: true,
  },
  {
    path: '/hiring',
    file: 'hiring/OpeningsScreen',
    label: 'Hiring',
    title: 'Openings',
    tab: 'Openings',
    key: 'h',
    question: 'In which openings do applications wait longest?',
    parameters: ['dept_id', 'location', 'past_target', 'sort', 'offset'],
  },
  {
    path: '/hiring/openings/$id',
    file: 'hiring/OpeningScreen',
    label: 'Opening',
    parent: '/hiring',
    parameters: [],
  },
  {
    path: '/hiring/candidates',
    file: 'candidates/CandidatesScreen',
    label: 'Candidates',
    parent: '/hiring',
    question: 'Find a candidate',
    parameters: ['q', 'status', 'source', 'consent', 'sort', 'offset'],
  },
  {
    path: '/hiring/candidates/$id',
    file: 'candidates/CandidateScreen',
    label: 'Candidate',
    parent: '/hiring/candidates',
    parameters: [],
  },
  {
    path: '/hiring/funnel',
    file: 'hiring/FunnelScreen',
    label: 'Funnel',
    parent: '/hiring',
    question: 'How many applications reach each stage, and how long do they stay?',
    parameters: ['applied_from', 'applied_to', 'job.dept_id', 'job.location', 'candidate.source'],
    isDated: true,
  },
  {
    path: '/hiring/time-to-hire',
    file: 'hiring/TimeToHireScreen',
    label: 'Time to hire',
    parent: '/hiring',
    question: 'How long does a hire take?',
    parameters: ['hired_from', 'hired_to', 'departments'],
    isDated: true,
  },
  {
    path: '/hiring/sources',
    file: 'hiring/SourcesScreen',
    label: 'Sources',
    parent: '/hiring',
    question: 'Where do applications and hires come from?',
    parameters: ['applied_from', 'applied_to', 'job.dept_id'],
    isDated: true,
  },
  {
    path: '/hiring/career-sites',
    file: 'career-sites/CareerSitesScreen',
    label: 'Career sites',
    parent: '/hiring',
    question: 'Which jobs are published where, and in which languages?',
    parameters: ['offset'],
  },
  {
    path: '/hiring/career-sites/$id',
    file: 'career-sites/CareerSiteScreen',
    label: 'Career site',
    parent: '/hiring/career-sites',
    parameters: ['locale', 'reason', 'offset'],
  },
  {
    path: '/leave',
    file: 'leave/LeaveScreen',
    label: 'Leave',
    key: 'l',
    question: 'Who is on leave, and on which days are most people out?',
    // `month`: as in `2026-11`. `by=manager`: teams instead of departments. `dept_id`, `manager_id`: the open one, or
    // `none`. `offset`: the first of its requests to show. `all`: all departments or teams instead of the largest.
    parameters: ['month', 'by', 'dept_id', 'manager_id', 'offset', 'all'],
    isDated: true,
  },
  {
    path: '/attendance',
    file: 'attendance/AttendanceScreen',
    label: 'Attendance',
    key: 'a',
    question: 'How many people were absent without leave, and when?',
    parameters: ['from', 'to', 'day', 'departments'],
    isDated: true,
  },
  {
    path: '/headcount',
    file: 'headcount/HeadcountScreen',
    label: 'Headcount',
    tab: 'Over time',
    key: 'c',
    question: 'How has headcount changed?',
    parameters: ['from', 'to', 'by'],
    isDated: true,
  },
  {
    path: '/headcount/movements',
    file: 'movements/MovementsScreen',
    label: 'Movements',
    parent: '/headcount',
    question: 'Who moved, from where to where, and when?',
    parameters: ['from', 'to'],
    isDated: true,
  },
  {
    path: '/data',
    file: 'data/ResourcesScreen',
    label: 'Data',
    key: 'd',
    question: 'Which records are there?',
    parameters: [],
    isAboutData: true,
  },
  {
    path: '/data/$resource',
    file: 'data/DataScreen',
    label: 'Data of a resource',
    parent: '/data',
    // The parameters of the list in the API, under the same names, and those of the screen itself, which begin with an
    // underscore: `_open` (id of the record in the drawer), `_row` (the first visible row) and `_facets`. The columns
    // are the parameter `fields` of the API.
    parameters: 'all',
    isAboutData: true,
  },
  {
    path: '/health',
    file: 'health/HealthScreen',
    label: 'Health',
    key: 'e',
    question: 'Can the numbers be trusted?',
    parameters: ['rule'],
    isAboutData: true,
  },
] as const satisfies readonly Screen[]

export type Screens = typeof screens
type AnyScreen = Screens[number]
export type ScreenPath = AnyScreen['path']
/** A path that needs no parameters. */
export type PlainPath = Exclude<ScreenPath, `${string}$${string}`>

/** The search parameters of a screen. */
export type SearchOf<P extends ScreenPath> = Extract<
  AnyScreen,
  { readonly path: P }
>['parameters'] extends readonly (infer K extends string)[]
  ? { readonly [N in K]?: string | undefined }
  : SearchParameters

const all: readonly Screen<ScreenPath>[] = screens
const isPlain = (screen: Screen<ScreenPath>): screen is Screen<PlainPath> => !screen.path.includes('$')
const plainScreens = all.filter(isPlain)

/** The screens of the navigation, in its order. */
export const mainScreens = plainScreens.flatMap((screen) =>
  screen.key === undefined ? [] : { ...screen, key: screen.key },
)

export const screenAt = (path: string | undefined): Screen<ScreenPath> | undefined =>
  all.find((screen) => screen.path === path)

/** The heading of a screen, and the title of its browser tab. */
export const titleOf = (path: ScreenPath): string => {
  const screen = screenAt(path)
  return screen?.title ?? screen?.label ?? ''
}

export const questionOf = (path: ScreenPath): string => screenAt(path)?.question ?? ''

/** Whether a screen is a list that figures open. It has a link back above its heading. */
export const isWorkList = (path: string | undefined): boolean => screenAt(path)?.parent === '/today'

/** The lists that figures open. The search finds them by their names. */
export const workListScreens = plainScreens.filter(({ path }) => isWorkList(path))

export const isDated = (path: string | undefined): boolean => screenAt(path)?.isDated === true

/** A screen and those below it, which are shown as tabs while one of them is open. Empty if it has none. */
export const tabsOf = (path: PlainPath): readonly Screen<PlainPath>[] =>
  screenAt(path)?.tab === undefined
    ? []
    : plainScreens.filter((screen) => screen.path === path || screen.parent === path)

interface NavigationPlace {
  /** The entry of the navigation. */
  readonly main: PlainPath
  /** The tab of that entry, if it has tabs. */
  readonly tab: PlainPath | undefined
}

/** Where the navigation shows a screen: at its own place, or at that of the nearest screen above that has one. */
export const navigationPlaceOf = (screen: Screen<ScreenPath>): NavigationPlace | undefined => {
  const main = nearestOf(screen, mainScreens)
  return main && { main, tab: nearestOf(screen, tabsOf(main)) }
}

const nearestOf = (
  { path, parent }: Screen<ScreenPath>,
  places: readonly Screen<PlainPath>[],
): PlainPath | undefined => {
  const place = places.find((entry) => entry.path === path)
  const above = screenAt(parent)
  return place?.path ?? (above && nearestOf(above, places))
}

/** On phones, the first screens have a place in the bar at the bottom. The others are behind its last entry. */
const phoneTabs = 4
export const tabScreens = mainScreens.slice(0, phoneTabs)
export const moreScreens = mainScreens.slice(phoneTabs)
