export const POSITION_FILLED = 'The position was filled by another candidate.'
export const POSITION_DROPPED = 'The opening was closed before it was filled.'

const earlyReasons = [
  'Experience is below the level of the role.',
  'The required language skills are missing.',
  'No right to work in the country of the office, and the role does not sponsor one.',
  'Expected pay is far above the range.',
  'The application was incomplete and was not completed in time.',
  'Profile fits another kind of work better.',
]
const assessmentReasons = [
  'The work sample missed two of the three main points.',
  'The work sample was handed in without tests or explanation.',
  'Solid sample, but others were stronger.',
]
const phoneScreenReasons = [
  'Expectations about travel do not match the role.',
  'Earliest start is too late for the team.',
  'Motivation for the role stayed unclear in the conversation.',
  'Expected pay is above the range.',
]
const interviewReasons = [
  'The panel preferred candidates with more depth in the subject.',
  'Strong in the subject, but examples of working across teams were missing.',
  'References did not confirm the described responsibility.',
  'Close decision: another candidate had led a comparable project.',
]

export const rejectionReasons: Readonly<Record<string, readonly string[]>> = {
  sourced: ['Did not answer our messages.', 'Not looking for a change at present.'],
  applied: earlyReasons,
  shortlisted: earlyReasons,
  assessment: assessmentReasons,
  phone_screen: phoneScreenReasons,
  interview: interviewReasons,
}

export const leaveReasons: Readonly<Record<string, readonly string[]>> = {
  annual: [
    'Visiting relatives abroad',
    'Moving to a new flat',
    'Hiking in the mountains',
    'Time off after the release',
    'A week at home',
  ],
  short: [
    'Long weekend',
    'Wedding of a friend',
    'Appointment at the town hall',
    'School enrolment',
    'Moving house',
    'Concert in the next town',
  ],
  summer: [
    'Summer holiday with the family',
    'School holidays',
    'Cycling along the coast',
    'Visiting relatives abroad',
    'Camping at the lake',
  ],
  winter: [
    'End of the year with the family',
    'Advent markets with the children',
    'Skiing',
    'Visiting my parents',
    'Using up this year’s days',
  ],
  sick: ['Influenza', 'Migraine', 'Stomach bug', 'Dental surgery', 'Back pain', 'Child is ill', 'Cold and fever'],
  parental: ['Birth of our second child', 'Parental leave as agreed with the people team', 'Adoption of a child'],
  unpaid: [
    'Finishing a house renovation',
    'Volunteering at a harvest camp',
    'Caring for a relative',
    'Long journey by rail',
  ],
  bereavement: ['Funeral of a grandparent', 'Death in the family'],
  study: ['Exam week', 'Language certificate', 'Evening degree: final thesis', 'Training for a forklift licence'],
}

export const employers: readonly string[] = [
  'Bramblewick Freight',
  'Nordhafen Speditionskontor',
  'Quaymere Analytics',
  'Tannenhof Logistik',
  'Oficina do Cais',
  'Stara Mleczarnia',
  'Αιγαίο Μεταφορική',
  '西風物流',
  'Sông Xanh Logistics',
  'Kookaburra Cartage',
  'Sahyadri Routeworks',
  'Pinecone & Daughters',
  'Lumière du Nord Conseil',
  'Talleres Cierzo Bravo',
  'Brisa Serrana Tecnologia',
  'Loch Varnish Software',
  'Clonbarra Systems',
  'Fjällvind Data',
  'Polderlicht Media',
  'Copper Kettle Labs',
  'Érable et Fils Transport',
  'Yıldızlı Kargo',
  'Тих Дунав Софт',
  'Puszta Rendszerház',
  '은하수상사',
  'Angsana Niaga',
  'Ọ̀nà Títọ́ Haulage',
  'Savanna Ledger',
  'ดอยทองขนส่ง',
  'Thistle & Crane Accountants',
  'Ginkgo Street Bank',
  'Waterwheel Insurance',
  'Amberline Telecom',
  'Bluetit Hospitality',
  'Marigold Health Partners',
  'City Library of Wendover Quay',
  'University of Eastmarsh',
  'Hollowtree Games',
  'Silt & Stone Builders',
  'Pelican Post',
]

export const candidateNotes: readonly string[] = [
  'Asked about part-time work after the first year.',
  'Speaks four languages; happy to be tested in any of them.',
  'Would relocate with the family in summer.',
  'Met at the trade fair; remembered our depot stand.',
  'Notice period is three months to the end of a quarter.',
  'Prefers mornings for calls because of the time difference.',
  'Portfolio link works only after signing in; asked for a copy.',
  'Was shortlisted once before and handled the rejection very well.',
  'Needs a step-free office.',
  'Pay expectation was given verbally and is inside the range.',
  'Recommended by two people who do not know each other.',
  'Wants to move from agency work to one product.',
]

export const jobIntroductions: readonly string[] = [
  'Our network moves parcels, pallets and the odd piano between small carriers, and your desk would be where the plans meet the road.',
  'We connect depots that used to phone each other, and we are looking for somebody to make that quieter.',
  'Every night some thousand lorries follow a plan made by people in this team.',
]

export const jobClosingSentences: readonly string[] = [
  'You will start with a week in a depot, like everybody else.',
  'The team is spread over two offices and meets in person four times a year.',
  'We answer every application within ten working days.',
  'Part-time work from 80 percent is possible from the first day.',
]

/** English, like the texts of the jobs: a site has one headline for all its locales, and one of them is English. */
export const siteHeadlines: readonly string[] = [
  'Work where plans meet the road',
  'Every parcel has people behind it',
  'Good logistics is quiet logistics',
]

export const siteIntroductions: readonly string[] = [
  'Small teams, real depots, and people who will show you around on your first day.',
  'We answer every application, and we tell you the pay before you ask.',
  'You will know what your work is for, because you will see it leave the yard.',
]

/** Sentences that suit a record of any kind. */
export const generalNotes: readonly string[] = [
  'Agreed by telephone.',
  'Confirmed in writing by both sides.',
  'To be discussed in the next weekly meeting.',
  'Details are in the shared folder of the team.',
  'Postponed once because of a public holiday.',
  'No open questions.',
  'Everything went as planned.',
  'One question is still open; an answer is expected this week.',
  'The documents arrived later than agreed.',
  'A colleague from the neighbouring office took part.',
  'Moved to the smaller meeting room on short notice.',
  'The people team has a copy.',
  'Repeated at the request of the department.',
  'Shorter than expected, with a clear result.',
  'Handed over before the summer holidays.',
  'Nothing to add to the first version.',
]
