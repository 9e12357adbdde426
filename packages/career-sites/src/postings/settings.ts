/** The settings of a brand that career sites use: members of its `settings_json`, all optional. */
import { emailAddress, webUrl } from '../urls.ts'

export interface BrandSettings {
  readonly showPay: boolean
  /** A posting is shown for this many days. */
  readonly postingDays: number | undefined
  /** May contain `{code}`, `{id}` and `{locale}`. */
  readonly applyUrl: string | undefined
  readonly applyEmail: string | undefined
  readonly about: string | undefined
  readonly replyWithinDays: number | undefined
}

export const defaultSettings: BrandSettings = {
  showPay: true,
  postingDays: undefined,
  applyUrl: undefined,
  applyEmail: undefined,
  about: undefined,
  replyWithinDays: undefined,
}

export interface ParsedSettings {
  readonly settings: BrandSettings
  /** One sentence per member that is wrong and therefore ignored. */
  readonly problems: readonly string[]
}

const maxDays = 3_650
const maxAboutLength = 5_000

/** Members that career sites do not use are not checked. */
export const parseBrandSettings = (json: string | undefined): ParsedSettings => {
  if (json === undefined || json.trim() === '') return { settings: defaultSettings, problems: [] }
  const members = parseObject(json)
  if (members === undefined)
    return { settings: defaultSettings, problems: ['settings_json is not a JSON object, so all of it is ignored.'] }
  const problems: string[] = []
  const read = <T>(name: string, value: unknown, expected: string, parse: (value: unknown) => T | undefined) => {
    if (value === undefined || value === null) return undefined
    const result = parse(value)
    if (result === undefined) problems.push(`${name} is ignored: it must be ${expected}.`)
    return result
  }
  const days = (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxDays ? value : undefined
  const daysText = `a whole number from 1 to ${maxDays}`
  const apply = read('apply', members.apply, 'an object with url or email', asObject) ?? {}
  const settings = {
    showPay: read('show_pay', members.show_pay, 'true or false', asBoolean) ?? true,
    postingDays: read('posting_days', members.posting_days, daysText, days),
    applyUrl: read('apply.url', apply.url, 'an http or https URL', applyTemplate),
    applyEmail: read('apply.email', apply.email, 'an e-mail address', (value) => emailAddress(asText(value))),
    about: read('about', members.about, `text of at most ${maxAboutLength} characters`, aboutText),
    replyWithinDays: read('reply_within_days', members.reply_within_days, daysText, days),
  }
  return { settings, problems }
}

const parseObject = (json: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    return asObject(JSON.parse(json))
  } catch {
    return undefined
  }
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined

const asBoolean = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const aboutText = (value: unknown): string | undefined => {
  const text = asText(value)?.trim()
  return text !== undefined && text.length <= maxAboutLength ? text : undefined
}

const placeholder = /\{(code|id|locale)\}/g

/** The placeholders must not decide where the link leads, so the host must not contain one. */
const applyTemplate = (value: unknown): string | undefined => {
  const template = asText(value)?.trim()
  const [, start = ''] = /^([^/?#]*\/\/[^/?#]*)/.exec(template ?? '') ?? []
  return template !== undefined && !start.includes('{') && webUrl(template.replaceAll(placeholder, 'x')) !== undefined
    ? template
    : undefined
}

/** The link of the apply button; a value that a placeholder needs and the job lacks becomes empty. */
export const applyLink = (
  template: string,
  values: Readonly<Record<'code' | 'id' | 'locale', string | undefined>>,
): string | undefined =>
  webUrl(
    template.replaceAll(placeholder, (_, name: 'code' | 'id' | 'locale') =>
      encodeURIComponent((values[name] ?? '').toWellFormed()),
    ),
  )
