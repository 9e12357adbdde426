/** One text per plural category of the language; `#` stands for the number. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

/**
 * The texts stand next to those of the employer. German, Spanish and Portuguese ones avoid forms of address, so
 * that they fit a formal and an informal employer.
 */
export interface Texts {
  readonly jobs: string
  readonly allJobs: string
  readonly skipToContent: string
  readonly languages: string
  readonly filters: string
  /** The label of the field for words. */
  readonly words: string
  readonly search: string
  readonly department: string
  readonly contract: string
  readonly workplace: string
  readonly place: string
  readonly any: string
  /** `{filter}` is the value of a filter. */
  readonly removeFilter: string
  readonly clearFilters: string
  readonly jobCount: Plural
  readonly noneOpen: string
  readonly noneFound: string
  readonly pages: string
  readonly previous: string
  readonly next: string
  /** `{page}` and `{pages}` are numbers. */
  readonly pageOf: string
  readonly pay: string
  /** `{pay}` is an amount. */
  readonly payFrom: string
  readonly payUpTo: string
  /** `{pay}` is an amount, a range or one of the texts before. */
  readonly perYear: string
  /** Stands before a date. */
  readonly posted: string
  readonly applyUntil: string
  readonly reference: string
  readonly description: string
  readonly requirements: string
  /** `{brand}` is a name. */
  readonly about: string
  readonly howToApply: string
  readonly apply: string
  readonly applyByEmail: string
  /** `{host}` is a link. */
  readonly urlHint: string
  /** `{email}` is a link. */
  readonly emailHint: string
  readonly noApplications: string
  readonly replyWithin: Plural
  readonly otherJobs: string
  readonly privacy: string
  readonly feed: string
  readonly notFoundTitle: string
  readonly notFoundText: string
  readonly goneTitle: string
  readonly goneText: string
  readonly contracts: Readonly<Record<string, string>>
  readonly workplaces: Readonly<Record<string, string>>
}
