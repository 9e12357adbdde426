/** The screens in the order of the navigation. The key is the second of two: `g`, then the letter. */
export const screens = [
  { to: '/today', label: 'Today', key: 't' },
  { to: '/people', label: 'People', key: 'p' },
  { to: '/org', label: 'Org', key: 'o' },
  { to: '/hiring', label: 'Hiring', key: 'h' },
  { to: '/leave', label: 'Leave', key: 'l' },
  { to: '/attendance', label: 'Attendance', key: 'a' },
  { to: '/headcount', label: 'Headcount', key: 'c' },
  { to: '/data', label: 'Data', key: 'd' },
  { to: '/health', label: 'Health', key: 'e' },
] as const

export type ScreenPath = (typeof screens)[number]['to']

/** The question that a screen answers. It stands below its title. */
export const questions = {
  '/today': 'What needs attention?',
  '/people': 'Who is it, and where do they sit?',
  '/org': 'Who leads whom, and how large is each part?',
  '/hiring': 'Which opening waits longest, and where?',
  '/hiring/funnel': 'How far do applications get?',
  '/hiring/time-to-hire': 'How long does a hire take?',
  '/hiring/sources': 'Where do applications and hires come from?',
  '/hiring/career-sites': 'Which jobs are published where, and in which languages?',
  '/leave': 'Who is away, and on which days is it tight?',
  '/attendance': 'On which days, and where, are people absent?',
  '/headcount': 'How many are we, who came, and who left?',
  '/data': 'Which records are there?',
  '/health': 'Can the numbers be trusted?',
} as const

/**
 * Screens whose figures are computed from dates, for a day that the reader chooses. There is no history of other values,
 * so all other screens show the present.
 */
const datedScreens: readonly (string | undefined)[] = [
  '/hiring/funnel',
  '/hiring/time-to-hire',
  '/hiring/sources',
  '/leave',
  '/attendance',
  '/headcount',
]

export const isDated = (path: string | undefined): boolean => datedScreens.includes(path)

/** Screens of the second group: they are about the data instead of the company. */
export const firstDataScreen = '/data'

/** Screens below another one, shown while one of them is open. */
export const subScreens = {
  '/hiring': [
    { to: '/hiring', label: 'Openings' },
    { to: '/hiring/funnel', label: 'Funnel' },
    { to: '/hiring/time-to-hire', label: 'Time to hire' },
    { to: '/hiring/sources', label: 'Sources' },
    { to: '/hiring/career-sites', label: 'Career sites' },
  ],
} as const

/** On phones, the first screens have a place in the bar at the bottom. The others are behind its last entry. */
const tabCount = 4
export const tabScreens = screens.slice(0, tabCount)
export const moreScreens = screens.slice(tabCount)
