/** The words that HR systems use for the values of fields, in English and German. */
import { normalizeName } from './column-names.ts'

interface KnownValue {
  readonly value: string | null
  readonly pattern: RegExp
  /** Why the word does not decide the value. */
  readonly unsure?: string
}

const permanent = '"permanent" says how long a contract runs, not whether it is "full_time" or "part_time"'
const contract = 'Everybody has a contract. "contract" are those who work for a limited time, and contractors'
const intern = '"Intern" is an internship in English, but "internal" in German'
const trainee = 'Trainees, apprentices and working students can be "intern", "full_time" or "part_time"'
const fullTime = 'This is usually short for "Vollzeit" or "full-time"'
const partTime = 'This is usually short for "Teilzeit" or "part-time"'
const workingStudent = `"WS" is usually short for "Werkstudent". ${trainee}`
const partialRetirement = '"Altersteilzeit" can be full-time work now, or none at all'
const inactive = 'Inactive can mean "terminated" or "on_leave"'
const givenNotice =
  'Who has given or got notice can still be employed: "active" until the last day, and "terminated" after it'
const newHire = 'A new employee is "pending" before the first day, and "active" from then on'
const released = '"freigestellt" can mean "suspended" or "on_leave"'
const discontinued = '"eingestellt" is "hired", or "discontinued"'
const holiday = '"Holiday" is a vacation in some countries, and a public holiday in others'
const jobCentre = '"Agentur für Arbeit" is a public job centre, not a recruiting agency'

/** By field. Patterns of different values that fit the normalized word make it unsure. */
const knownValues: Readonly<Record<string, readonly KnownValue[]>> = {
  status: [
    { value: 'terminated', pattern: /^(inactive|inaktiv)$/, unsure: inactive },
    {
      value: 'terminated',
      pattern: /^(terminated|left|former|exited|offboarded|ausgeschieden|ausgetreten|beendet|ehemalig)$/,
    },
    { value: 'terminated', pattern: /^(resigned|gekundigt)$/, unsure: givenNotice },
    { value: 'pending', pattern: /^(hired|neueinstellung|eingestellt)$/, unsure: newHire },
    { value: 'pending', pattern: /^(pending|onboarding|accepted|prestart|prehire|offeraccepted|zukunftig)$/ },
    { value: 'on_leave', pattern: /^(leave|onleave|leaveofabsence|gardenleave|beurlaubt|elternzeit|abwesend|ruhend)$/ },
    { value: 'suspended', pattern: /^freigestellt$/, unsure: released },
    { value: 'suspended', pattern: /^suspended$/ },
    { value: 'active', pattern: /^(active|employed|aktiv|beschaftigt|angestellt)$/ },
  ],
  'candidates.status': [
    { value: 'hired', pattern: /^eingestellt$/, unsure: discontinued },
    { value: 'hired', pattern: /^hired$/ },
    { value: 'archived', pattern: /^(archived|rejected|inactive|abgelehnt|archiviert)$/ },
    { value: 'active', pattern: /^(active|new|inprocess|aktiv|neu|laufend)$/ },
  ],
  'leave.status': [
    { value: 'approved', pattern: /^(approved|genehmigt|bestatigt)$/ },
    { value: 'pending', pattern: /^(pending|requested|submitted|offen|beantragt)$/ },
    { value: 'rejected', pattern: /^(rejected|denied|declined|abgelehnt)$/ },
    { value: 'cancelled', pattern: /^(cancelled|canceled|withdrawn|storniert|zuruckgezogen)$/ },
  ],
  employment_type: [
    { value: 'intern', pattern: /internship|praktikant|praktikum/ },
    { value: 'intern', pattern: /intern$/, unsure: intern },
    { value: 'intern', pattern: /trainee|werkstudent|auszubildend|ausbildung|azubi|apprentice/, unsure: trainee },
    { value: 'intern', pattern: /^ws$/, unsure: workingStudent },
    { value: 'full_time', pattern: /^(vz|ft)$/, unsure: fullTime },
    { value: 'part_time', pattern: /^(tz|pt)$/, unsure: partTime },
    { value: 'contract', pattern: /contractor|freelanc|temporary|fixedterm|befristet|freiberuf|leiharbeit|^contract$/ },
    { value: 'part_time', pattern: /altersteilzeit/, unsure: partialRetirement },
    { value: 'part_time', pattern: /parttime|teilzeit|minijob/ },
    { value: 'full_time', pattern: /fulltime|vollzeit(?!nah)/ },
    {
      value: 'full_time',
      pattern:
        /^(regular$|festangestellt|festanstellung|festvertrag)|^(permanent|unbefristet|indefinite|unlimited|openended)(?!.*(fulltime|parttime|vollzeit|teilzeit))/,
      unsure: permanent,
    },
    {
      value: 'contract',
      pattern: /(?<!^permanent|^indefinite|^unlimited|^openended|^regular)contract/,
      unsure: contract,
    },
  ],
  leave_type: [
    { value: 'annual', pattern: /^holidays?$/, unsure: holiday },
    {
      value: 'annual',
      pattern: /^(annual|annualleave|vacation|pto|paidtimeoff|urlaub|erholungsurlaub|jahresurlaub)$/,
    },
    { value: 'sick', pattern: /^(sick|sickleave|sickness|illness|krank|krankheit|krankmeldung)$/ },
    { value: 'parental', pattern: /parental|maternity|paternity|elternzeit|mutterschutz/ },
    { value: 'unpaid', pattern: /unpaid|unbezahlt/ },
    { value: 'bereavement', pattern: /bereavement|trauerfall|todesfall|sonderurlaubtod/ },
    { value: 'study', pattern: /study|training|education|bildung|fortbildung/ },
  ],
  gender: [
    { value: 'female', pattern: /^(f|w|female|woman|weiblich|frau)$/ },
    { value: 'male', pattern: /^(m|male|man|mannlich|mann|herr)$/ },
    { value: 'diverse', pattern: /^(d|x|diverse|divers)$/ },
    { value: 'non-binary', pattern: /^nonbinary$/ },
    { value: null, pattern: /^(u|undefined|unknown|undeclared|unspecified|notspecified|unbestimmt|keineangabe)$/ },
  ],
  source: [
    { value: 'referral', pattern: /(?<!p)referr|empfehl/ },
    { value: 'agency', pattern: /agenturfurarbeit|arbeitsagentur/, unsure: jobCentre },
    { value: 'agency', pattern: /agency|agentur|personalvermittl|headhunt/ },
    { value: 'sourced', pattern: /(?<!out|crowd)sourced|prospecting|direktansprache|aktivsuche/ },
    { value: 'event', pattern: /(?<!pr)event(?!uell)|(?<!af)fair(?!ness)|university|messe(?!nger)|hochschule/ },
    {
      value: 'job_board',
      pattern: /linkedin|indeed|stepstone|jobboard|jobborse|glassdoor|^xing|monster|^karriere(at|de)$/,
    },
    { value: 'career_site', pattern: /careers?(page|site)|website|^applied$|inbound|karriere(?!(at|de)$)|jobspage/ },
    { value: null, pattern: /^internal$|^intern$|^other$|^unknown$|^sonstige/ },
  ],
}

export interface Translation {
  /** Undefined if the word is unknown. */
  readonly value: string | null | undefined
  readonly unsure?: string
}

export const translateValue = (resource: string, field: string, word: string): Translation => {
  const normalized = normalizeName(word)
  const [found, ...others] = valuesOf(resource, field).filter(({ pattern }) => fits(pattern, normalized))
  if (found === undefined) return { value: undefined }
  const values = [...new Set([found, ...others].map(({ value }) => JSON.stringify(value)))]
  return values.length === 1 ? found : { ...found, unsure: `this can mean ${values.join(' or ')}` }
}

/** "unbefristet" is not "befristet". */
const fits = (pattern: RegExp, word: string): boolean => {
  const index = word.search(pattern)
  return index !== -1 && !/(?:un|non|not|no|nicht|kein|keine|ohne|without|than|als)$/.test(word.slice(0, index))
}

export const hasKnownValues = (resource: string, field: string): boolean => valuesOf(resource, field).length > 0

const valuesOf = (resource: string, field: string): readonly KnownValue[] =>
  knownValues[`${resource}.${field}`] ?? knownValues[field] ?? []

/** Words that stand for no value. */
export const isPlaceholder = (text: string): boolean =>
  /^(?:-+|n\/a|none|null|no_\w+|0000-00-00|00\.00\.0000|\.)$/i.test(text)
