/** In charge of the kinds of work in the invented company: roles, pay, how each is hired for and what its people say. */

export interface Family {
  readonly name: string
  /** Share of the company that does this work. */
  readonly weight: number
  /** Yearly pay of the second level in euros, at the group's average. */
  readonly pay: number
  /** How many people apply, compared with the average opening. */
  readonly appeal: number
  readonly roles: readonly string[]
  readonly head: string
  readonly stages: readonly string[]
  readonly work: readonly string[]
  readonly asks: readonly string[]
  readonly topics: readonly string[]
}

const tested = ['applied', 'shortlisted', 'assessment', 'phone_screen', 'interview', 'offer', 'hired']
const spoken = ['applied', 'shortlisted', 'phone_screen', 'interview', 'offer', 'hired']
const short = ['applied', 'shortlisted', 'interview', 'offer', 'hired']

export const families: readonly Family[] = [
  {
    name: 'Engineering',
    weight: 26,
    pay: 58000,
    appeal: 1.3,
    roles: ['Backend Engineer', 'Frontend Engineer', 'Platform Engineer', 'Quality Engineer', 'Mobile Engineer'],
    head: 'Chief Technology Officer',
    stages: tested,
    work: [
      'You build and run the services that route shipments between our depots.',
      'You look after the interfaces our partners connect to, from the first sketch to the alert at night.',
      'You help three product teams to release every day without fear.',
    ],
    asks: [
      'You have run software that other people depend on.',
      'You read and write clear code in at least one typed language.',
      'You can explain a trade-off to somebody who does not program.',
      'You have worked with relational databases and know when an index hurts.',
    ],
    topics: ['payments', 'routing', 'search', 'event streams', 'accessibility', 'observability', 'embedded devices'],
  },
  {
    name: 'Product',
    weight: 6,
    pay: 62000,
    appeal: 1.2,
    roles: ['Product Manager', 'Product Analyst', 'Technical Product Manager'],
    head: 'Chief Product Officer',
    stages: spoken,
    work: [
      'You own the tools that dispatchers use all day and decide with them what comes next.',
      'You turn what customers tell us into a plan that three teams can follow.',
    ],
    asks: [
      'You have taken a product from an idea to daily use.',
      'You are at home in numbers and in conversations.',
      'You write short documents that people finish reading.',
    ],
    topics: ['marketplaces', 'pricing', 'onboarding', 'warehouse tools', 'self service'],
  },
  {
    name: 'Design',
    weight: 4,
    pay: 50000,
    appeal: 1.5,
    roles: ['Product Designer', 'Content Designer', 'Design Researcher'],
    head: 'Head of Design',
    stages: tested,
    work: [
      'You shape screens that drivers can read in sunlight and with gloves on.',
      'You find out how people really work in our depots and show the rest of us.',
    ],
    asks: [
      'You show work that shipped, and say what you would do differently.',
      'You test with people who use assistive technology.',
      'You share unfinished work early.',
    ],
    topics: ['design systems', 'field research', 'forms', 'maps', 'plain language'],
  },
  {
    name: 'Data',
    weight: 6,
    pay: 59000,
    appeal: 1.6,
    roles: ['Data Analyst', 'Data Engineer', 'Data Scientist'],
    head: 'Head of Data',
    stages: tested,
    work: [
      'You forecast how many parcels arrive at each depot, so that nobody waits in the rain.',
      'You keep the numbers that every team plans with correct and on time.',
    ],
    asks: [
      'You know SQL well and one scripting language comfortably.',
      'You check where a figure comes from before you draw it.',
      'You can say in two sentences what a model cannot do.',
    ],
    topics: ['forecasting', 'experiments', 'data quality', 'reporting', 'optimization'],
  },
  {
    name: 'Sales',
    weight: 11,
    pay: 46000,
    appeal: 0.8,
    roles: ['Account Executive', 'Sales Development Representative', 'Key Account Manager', 'Solutions Consultant'],
    head: 'Chief Revenue Officer',
    stages: spoken,
    work: [
      'You win regional carriers for our network and stay their first contact.',
      'You listen to warehouse managers and show them what would save them an hour a day.',
    ],
    asks: [
      'You have sold something that needs explaining.',
      'You keep your promises and your notes.',
      'You enjoy visiting customers where they work.',
    ],
    topics: ['mid-size carriers', 'public tenders', 'partner sales', 'renewals', 'cold outreach'],
  },
  {
    name: 'Marketing',
    weight: 5,
    pay: 44000,
    appeal: 1.7,
    roles: ['Content Strategist', 'Performance Marketer', 'Event Coordinator', 'Brand Designer'],
    head: 'Head of Marketing',
    stages: spoken,
    work: [
      'You tell the stories of the people who move goods at night.',
      'You plan the trade fairs of a year and know in spring what autumn will cost.',
    ],
    asks: [
      'You write well in English and one more language of our markets.',
      'You measure what you publish.',
      'You have organized something with more than a hundred guests.',
    ],
    topics: ['trade fairs', 'newsletters', 'search advertising', 'customer stories', 'brand voice'],
  },
  {
    name: 'Customer Care',
    weight: 14,
    pay: 33000,
    appeal: 1.1,
    roles: ['Customer Care Specialist', 'Implementation Consultant', 'Support Engineer', 'Training Specialist'],
    head: 'Head of Customer Care',
    stages: short,
    work: [
      'You answer people who have a lorry waiting, and you stay calm.',
      'You bring new customers live in six weeks and leave them able to help themselves.',
    ],
    asks: [
      'You speak and write two of our customers’ languages.',
      'You ask one more question before you answer.',
      'You are ready to work early or late shifts.',
    ],
    topics: ['phone support', 'onboarding', 'training', 'incident communication', 'night shifts'],
  },
  {
    name: 'Operations',
    weight: 14,
    pay: 36000,
    appeal: 0.9,
    roles: ['Operations Planner', 'Depot Coordinator', 'Logistics Analyst', 'Fleet Specialist'],
    head: 'Chief Operating Officer',
    stages: short,
    work: [
      'You plan the week of a depot and mend the plan when a ferry is late.',
      'You compare routes, carriers and costs and say which one we should drop.',
    ],
    asks: [
      'You have worked in a warehouse, a depot or a control room.',
      'You are quick with spreadsheets and patient with people.',
      'You hold, or are ready to earn, a dangerous goods certificate.',
    ],
    topics: ['shift planning', 'customs', 'cold chain', 'fleet maintenance', 'last mile'],
  },
  {
    name: 'Finance',
    weight: 5,
    pay: 48000,
    appeal: 0.9,
    roles: ['Accountant', 'Financial Analyst', 'Payroll Specialist', 'Treasury Analyst'],
    head: 'Chief Financial Officer',
    stages: spoken,
    work: [
      'You close the books of four countries in five working days.',
      'You show the board where the money went and where it will go.',
    ],
    asks: [
      'You know local or international accounting standards well.',
      'You explain a variance without blaming anybody.',
      'You have closed a year at least twice.',
    ],
    topics: ['group reporting', 'tax', 'payroll', 'planning', 'treasury'],
  },
  {
    name: 'People',
    weight: 4,
    pay: 43000,
    appeal: 1.2,
    roles: ['Recruiter', 'People Partner', 'Learning Specialist', 'People Operations Specialist'],
    head: 'Chief People Officer',
    stages: spoken,
    work: [
      'You hire for two countries and tell every candidate how it ended.',
      'You are the person managers call before things become difficult.',
    ],
    asks: [
      'You know the labour law of at least one of our countries.',
      'You keep confidences.',
      'You have helped a team through a change it did not want.',
    ],
    topics: ['technical hiring', 'labour law', 'apprenticeships', 'performance reviews', 'relocation'],
  },
  {
    name: 'Legal',
    weight: 2,
    pay: 61000,
    appeal: 0.7,
    roles: ['Legal Counsel', 'Compliance Officer', 'Contract Specialist'],
    head: 'General Counsel',
    stages: spoken,
    work: [
      'You write contracts that carriers sign without calling their lawyer first.',
      'You see to it that we treat personal data the way we promise.',
    ],
    asks: [
      'You are qualified in at least one of our countries.',
      'You write plainly.',
      'You know transport law, or want to.',
    ],
    topics: ['transport law', 'privacy', 'contracts', 'competition law'],
  },
  {
    name: 'Workplace and IT',
    weight: 3,
    pay: 40000,
    appeal: 1,
    roles: ['IT Administrator', 'Workplace Coordinator', 'Security Analyst', 'Network Engineer'],
    head: 'Head of Workplace and IT',
    stages: short,
    work: [
      'You give newcomers a working laptop on their first morning and keep the offices pleasant.',
      'You find the weak spot before somebody else does.',
    ],
    asks: [
      'You have looked after a few hundred devices.',
      'You document what you change.',
      'You like helping people more than being right.',
    ],
    topics: ['device management', 'identity', 'office moves', 'networks', 'security reviews'],
  },
]

export function familyAt(index: number): Family {
  const family = families[index]
  if (family === undefined) throw new RangeError(`there is no family ${index}`)
  return family
}

export const LEVELS = ['Junior', '', 'Senior', 'Lead', 'Principal'] as const
export const LEVEL_PAY = [0.78, 1, 1.28, 1.52, 1.8] as const
/** From the first line up; the head of a department stands above them all. */
export const MANAGERS = ['Team Manager', 'Senior Manager', 'Director', 'Senior Director', 'Vice President'] as const
export const MANAGER_PAY = [1.55, 1.9, 2.4, 2.9, 3.4] as const
/** Of a department as old as the company, and of one that grew out of it. */
export const HEAD_PAY = 3.6
export const YOUNGER_HEAD_PAY = 2.7
export const CHIEF_PAY = 4.6

export function titleAt(role: string, level: number): string {
  const rank = LEVELS[level] as string
  return rank === '' ? role : `${rank} ${role}`
}

export interface DepartmentName {
  readonly name: string
  readonly family: number
}

const further: readonly (readonly [string, number])[] = [
  ['Platform Engineering', 0],
  ['Depot Software', 0],
  ['Carrier Sales', 4],
  ['Night Support', 6],
  ['Fleet Operations', 7],
  ['Customs and Borders', 7],
  ['Data Platform', 3],
  ['Regional Marketing', 5],
  ['Payroll', 8],
  ['Talent Acquisition', 9],
  ['Customer Onboarding', 6],
  ['Mobile Apps', 0],
  ['Quality Engineering', 0],
  ['Pricing', 1],
  ['Research', 2],
  ['Partner Sales', 4],
  ['Public Sector Sales', 4],
  ['Cold Chain', 7],
  ['Last Mile', 7],
  ['Treasury', 8],
  ['Learning', 9],
  ['Privacy and Compliance', 10],
  ['Information Security', 11],
  ['Customer Training', 6],
]

/** Departments in the order in which a growing company opens them. */
export const departmentNames: readonly DepartmentName[] = [
  ...families.map(({ name }, family) => ({ name, family })),
  ...further.map(([name, family]) => ({ name, family })),
]
