/** The words that HR systems use for the values of fields, in English and German. */
import { normalizeName } from './column-names.ts'

interface KnownValue {
  readonly value: string | null
  readonly pattern: RegExp
  /** Why the word does not decide the value. */
  readonly unsure?: string
}

const permanent = '"permanent" says how long a contract runs, not whether it is "full_time" or "part_time"'
const intern = '"Intern" is an internship in English, but "internal" in German'
const inactive = 'Inactive can mean "terminated" or "on_leave"'

/** By field. Patterns of different values that fit the normalized word make it unsure. */
const knownValues: Readonly<Record<string, readonly KnownValue[]>> = {
  status: [
    { value: 'terminated', pattern: /^(inactive|inaktiv)$/, unsure: inactive },
    {
      value: 'terminated',
      pattern:
        /^(terminated|left|former|resigned|exited|offboarded|ausgeschieden|ausgetreten|gekundigt|beendet|ehemalig)$/,
    },
    {
      value: 'pending',
      pattern: /^(pending|hired|onboarding|accepted|prestart|prehire|offeraccepted|zukunftig|neueinstellung)$/,
    },
    { value: 'on_leave', pattern: /^(leave|onleave|leaveofabsence|gardenleave|beurlaubt|elternzeit|abwesend|ruhend)$/ },
    { value: 'suspended', pattern: /^(suspended|freigestellt)$/ },
    { value: 'active', pattern: /^(active|employed|aktiv|beschaftigt|angestellt)$/ },
  ],
  'candidates.status': [
    { value: 'hired', pattern: /^(hired|eingestellt)$/ },
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
    { value: 'intern', pattern: /^intern$/, unsure: intern },
    { value: 'intern', pattern: /[^n]intern$|internship|trainee|praktik|werkstudent|auszubildend|azubi/ },
    { value: 'contract', pattern: /contract|freelanc|temporary|fixedterm|befristet|freiberuf|leiharbeit/ },
    { value: 'part_time', pattern: /parttime|teilzeit|minijob/ },
    { value: 'full_time', pattern: /fulltime|vollzeit/ },
    {
      value: 'full_time',
      pattern: /^(permanent|regular|unbefristet|festangestellt|festanstellung)$/,
      unsure: permanent,
    },
  ],
  leave_type: [
    {
      value: 'annual',
      pattern: /^(annual|annualleave|vacation|holiday|pto|paidtimeoff|urlaub|erholungsurlaub|jahresurlaub)$/,
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
    { value: 'referral', pattern: /refer|empfehl/ },
    { value: 'agency', pattern: /agency|agentur|personalvermittl|headhunt/ },
    { value: 'sourced', pattern: /sourced|prospecting|direktansprache|aktivsuche/ },
    { value: 'event', pattern: /event|fair|university|messe|hochschule/ },
    { value: 'job_board', pattern: /linkedin|indeed|stepstone|jobboard|jobborse|glassdoor|xing|monster/ },
    { value: 'career_site', pattern: /careers?(page|site)|website|applied|inbound|karriere|jobspage/ },
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
  return values.length === 1 ? found : { ...found, unsure: `"${word}" can mean ${values.join(' or ')}` }
}

/** "unbefristet" is not "befristet". */
const fits = (pattern: RegExp, word: string): boolean => {
  const index = word.search(pattern)
  return index !== -1 && !/(?:un|non|not|no|nicht|kein|keine|ohne|without)$/.test(word.slice(0, index))
}

export const hasKnownValues = (resource: string, field: string): boolean => valuesOf(resource, field).length > 0

const valuesOf = (resource: string, field: string): readonly KnownValue[] =>
  knownValues[`${resource}.${field}`] ?? knownValues[field] ?? []

/** Words that stand for no value. */
export const isPlaceholder = (text: string): boolean =>
  /^(?:-+|n\/?a|none|null|no_\w+|0000-00-00|00\.00\.0000|\.)$/i.test(text)
