export interface JobFamily {
  readonly name: string
  /** Relative number of employees. */
  readonly weight: number
  /** Yearly pay in euros at the second career level, before the pay factor of the country is applied. */
  readonly basePay: number
  /** Relative number of applications per opening. */
  readonly appeal: number
  readonly roles: readonly string[]
  readonly headTitle: string
  readonly stages: readonly string[]
  readonly tasks: readonly string[]
  readonly requirements: readonly string[]
  readonly topics: readonly string[]
}

const stagesWithAssessment = ['applied', 'shortlisted', 'assessment', 'phone_screen', 'interview', 'offer', 'hired']
const stagesWithPhoneScreen = ['applied', 'shortlisted', 'phone_screen', 'interview', 'offer', 'hired']
const shortStages = ['applied', 'shortlisted', 'interview', 'offer', 'hired']

export const families: readonly JobFamily[] = [
  {
    name: 'Engineering',
    weight: 26,
    basePay: 58000,
    appeal: 1.3,
    roles: ['Backend Engineer', 'Frontend Engineer', 'Platform Engineer', 'Quality Engineer', 'Mobile Engineer'],
    headTitle: 'Chief Technology Officer',
    stages: stagesWithAssessment,
    tasks: [
      'You build and run the services that route shipments between our depots.',
      'You look after the interfaces our partners connect to, from the first sketch to the alert at night.',
      'You help three product teams to release every day without fear.',
    ],
    requirements: [
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
    basePay: 62000,
    appeal: 1.2,
    roles: ['Product Manager', 'Product Analyst', 'Technical Product Manager'],
    headTitle: 'Chief Product Officer',
    stages: stagesWithPhoneScreen,
    tasks: [
      'You own the tools that dispatchers use all day and decide with them what comes next.',
      'You turn what customers tell us into a plan that three teams can follow.',
    ],
    requirements: [
      'You have taken a product from an idea to daily use.',
      'You are at home in numbers and in conversations.',
      'You write short documents that people finish reading.',
    ],
    topics: ['marketplaces', 'pricing', 'onboarding', 'warehouse tools', 'self service'],
  },
  {
    name: 'Design',
    weight: 4,
    basePay: 50000,
    appeal: 1.5,
    roles: ['Product Designer', 'Content Designer', 'Design Researcher'],
    headTitle: 'Head of Design',
    stages: stagesWithAssessment,
    tasks: [
      'You shape screens that drivers can read in sunlight and with gloves on.',
      'You find out how people really work in our depots and show the rest of us.',
    ],
    requirements: [
      'You show work that shipped, and say what you would do differently.',
      'You test with people who use assistive technology.',
      'You share unfinished work early.',
    ],
    topics: ['design systems', 'field research', 'forms', 'maps', 'plain language'],
  },
  {
    name: 'Data',
    weight: 6,
    basePay: 59000,
    appeal: 1.6,
    roles: ['Data Analyst', 'Data Engineer', 'Data Scientist'],
    headTitle: 'Head of Data',
    stages: stagesWithAssessment,
    tasks: [
      'You forecast how many parcels arrive at each depot, so that nobody waits in the rain.',
      'You keep the numbers that every team plans with correct and on time.',
    ],
    requirements: [
      'You know SQL well and one scripting language comfortably.',
      'You check where a figure comes from before you draw it.',
      'You can say in two sentences what a model cannot do.',
    ],
    topics: ['forecasting', 'experiments', 'data quality', 'reporting', 'optimization'],
  },
  {
    name: 'Sales',
    weight: 11,
    basePay: 46000,
    appeal: 0.8,
    roles: ['Account Executive', 'Sales Development Representative', 'Key Account Manager', 'Solutions Consultant'],
    headTitle: 'Chief Revenue Officer',
    stages: stagesWithPhoneScreen,
    tasks: [
      'You win regional carriers for our network and stay their first contact.',
      'You listen to warehouse managers and show them what would save them an hour a day.',
    ],
    requirements: [
      'You have sold something that needs explaining.',
      'You keep your promises and your notes.',
      'You enjoy visiting customers where they work.',
    ],
    topics: ['mid-size carriers', 'public tenders', 'partner sales', 'renewals', 'cold outreach'],
  },
  {
    name: 'Marketing',
    weight: 5,
    basePay: 44000,
    appeal: 1.7,
    roles: ['Content Strategist', 'Performance Marketer', 'Event Coordinator', 'Brand Designer'],
    headTitle: 'Head of Marketing',
    stages: stagesWithPhoneScreen,
    tasks: [
      'You tell the stories of the people who move goods at night.',
      'You plan the trade fairs of a year and know in spring what autumn will cost.',
    ],
    requirements: [
      'You write well in English and one more language of our markets.',
      'You measure what you publish.',
      'You have organized something with more than a hundred guests.',
    ],
    topics: ['trade fairs', 'newsletters', 'search advertising', 'customer stories', 'brand voice'],
  },
  {
    name: 'Customer Care',
    weight: 14,
    basePay: 33000,
    appeal: 1.1,
    roles: ['Customer Care Specialist', 'Implementation Consultant', 'Support Engineer', 'Training Specialist'],
    headTitle: 'Head of Customer Care',
    stages: shortStages,
    tasks: [
      'You answer people who have a lorry waiting, and you stay calm.',
      'You bring new customers live in six weeks and leave them able to help themselves.',
    ],
    requirements: [
      'You speak and write two of our customers’ languages.',
      'You ask one more question before you answer.',
      'You are ready to work early or late shifts.',
    ],
    topics: ['phone support', 'onboarding', 'training', 'incident communication', 'night shifts'],
  },
  {
    name: 'Operations',
    weight: 14,
    basePay: 36000,
    appeal: 0.9,
    roles: ['Operations Planner', 'Depot Coordinator', 'Logistics Analyst', 'Fleet Specialist'],
    headTitle: 'Chief Operating Officer',
    stages: shortStages,
    tasks: [
      'You plan the week of a depot and mend the plan when a ferry is late.',
      'You compare routes, carriers and costs and say which one we should drop.',
    ],
    requirements: [
      'You have worked in a warehouse, a depot or a control room.',
      'You are quick with spreadsheets and patient with people.',
      'You hold, or are ready to earn, a dangerous goods certificate.',
    ],
    topics: ['shift planning', 'customs', 'cold chain', 'fleet maintenance', 'last mile'],
  },
  {
    name: 'Finance',
    weight: 5,
    basePay: 48000,
    appeal: 0.9,
    roles: ['Accountant', 'Financial Analyst', 'Payroll Specialist', 'Treasury Analyst'],
    headTitle: 'Chief Financial Officer',
    stages: stagesWithPhoneScreen,
    tasks: [
      'You close the books of four countries in five working days.',
      'You show the board where the money went and where it will go.',
    ],
    requirements: [
      'You know local or international accounting standards well.',
      'You explain a variance without blaming anybody.',
      'You have closed a year at least twice.',
    ],
    topics: ['group reporting', 'tax', 'payroll', 'planning', 'treasury'],
  },
  {
    name: 'People',
    weight: 4,
    basePay: 43000,
    appeal: 1.2,
    roles: ['Recruiter', 'People Partner', 'Learning Specialist', 'People Operations Specialist'],
    headTitle: 'Chief People Officer',
    stages: stagesWithPhoneScreen,
    tasks: [
      'You hire for two countries and tell every candidate how it ended.',
      'You are the person managers call before things become difficult.',
    ],
    requirements: [
      'You know the labour law of at least one of our countries.',
      'You keep confidences.',
      'You have helped a team through a change it did not want.',
    ],
    topics: ['technical hiring', 'labour law', 'apprenticeships', 'performance reviews', 'relocation'],
  },
  {
    name: 'Legal',
    weight: 2,
    basePay: 61000,
    appeal: 0.7,
    roles: ['Legal Counsel', 'Compliance Officer', 'Contract Specialist'],
    headTitle: 'General Counsel',
    stages: stagesWithPhoneScreen,
    tasks: [
      'You write contracts that carriers sign without calling their lawyer first.',
      'You see to it that we treat personal data the way we promise.',
    ],
    requirements: [
      'You are qualified in at least one of our countries.',
      'You write plainly.',
      'You know transport law, or want to.',
    ],
    topics: ['transport law', 'privacy', 'contracts', 'competition law'],
  },
  {
    name: 'Workplace and IT',
    weight: 3,
    basePay: 40000,
    appeal: 1,
    roles: ['IT Administrator', 'Workplace Coordinator', 'Security Analyst', 'Network Engineer'],
    headTitle: 'Head of Workplace and IT',
    stages: shortStages,
    tasks: [
      'You give newcomers a working laptop on their first morning and keep the offices pleasant.',
      'You find the weak spot before somebody else does.',
    ],
    requirements: [
      'You have looked after a few hundred devices.',
      'You document what you change.',
      'You like helping people more than being right.',
    ],
    topics: ['device management', 'identity', 'office moves', 'networks', 'security reviews'],
  },
]

export function familyAt(index: number): JobFamily {
  const jobFamily = families[index]
  if (jobFamily === undefined) throw new RangeError(`there is no job family ${index}`)
  return jobFamily
}

export const LEVEL_TITLES = ['Junior', '', 'Senior', 'Lead', 'Principal'] as const
export const LEVEL_PAY_FACTORS = [0.78, 1, 1.28, 1.52, 1.8] as const
/** Job titles from the lowest career level to the highest. The head of a department is above all of them. */
export const MANAGER_TITLES = [
  'Team Manager',
  'Senior Manager',
  'Director',
  'Senior Director',
  'Vice President',
] as const
export const MANAGER_PAY_FACTORS = [1.55, 1.9, 2.4, 2.9, 3.4] as const
/** Heads of the first departments, one per job family, earn more than heads of departments that were added later. */
export const HEAD_PAY_FACTOR = 3.6
export const NEW_HEAD_PAY_FACTOR = 2.7
export const CHIEF_PAY_FACTOR = 4.6

export function titleAt(role: string, level: number): string {
  const rank = LEVEL_TITLES[level] as string
  return rank === '' ? role : `${rank} ${role}`
}

export interface DepartmentName {
  readonly name: string
  readonly family: number
}

const laterDepartments: readonly (readonly [string, number])[] = [
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

/** All departments. A company with n departments has the first n departments of this list. */
export const departmentNames: readonly DepartmentName[] = [
  ...families.map(({ name }, family) => ({ name, family })),
  ...laterDepartments.map(([name, family]) => ({ name, family })),
]
