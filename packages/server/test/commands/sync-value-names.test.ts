/** Words that mean something else in the other language, or contain a word of another meaning. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isPlaceholder, translateValue } from '../../src/sync/draft/value-names.ts'

interface Words {
  readonly resource: string
  readonly field: string
  /** Words that are translated without a question, by their value. */
  readonly certain?: Readonly<Record<string, readonly string[]>>
  /** Words that are only proposals, by the proposed value. */
  readonly proposed?: Readonly<Record<string, readonly string[]>>
  readonly unknown?: readonly string[]
}

const lists: readonly Words[] = [
  {
    resource: 'employees',
    field: 'employment_type',
    certain: {
      contract: ['Befristet', 'befristeter Vertrag', 'Fixed-term contract', 'Contract', 'Contractor', 'Freelance'],
      part_time: ['Teilzeit', 'Part-time', 'Teilzeit unbefristet', 'Permanent part-time', 'Unbefristet (Teilzeit)'],
      full_time: ['Vollzeit', 'Full time', 'Permanent full-time', 'Regular full-time', 'Unbefristet Vollzeit'],
      intern: ['Praktikant', 'Praktikum', 'Internship'],
    },
    proposed: {
      full_time: [
        'Unbefristet',
        'unbefristeter Vertrag',
        'Permanent',
        'Permanent contract',
        'Indefinite contract',
        'Open-ended contract',
        'Unlimited employment contract',
        'Festvertrag',
        'Festangestellt',
        'Regular',
        'VZ',
        'FT',
      ],
      part_time: ['Altersteilzeit', 'Part-time contract', 'TZ', 'pt'],
      contract: ['Employment contract', 'Temporary part-time'],
      intern: ['Intern', 'Mitarbeiter intern', 'Trainee', 'Werkstudent', 'WS', 'Auszubildende'],
    },
    unknown: [
      'Nicht befristet',
      'Entfristet',
      'Vollzeitnah',
      'Less than full time',
      'Heilpraktiker',
      'Extern',
      'Fest',
      'VZÄ',
      'WSP',
      'T',
    ],
  },
  {
    resource: 'employees',
    field: 'status',
    certain: { active: ['Aktiv', 'Active'], terminated: ['Ausgeschieden', 'Terminated'], on_leave: ['Elternzeit'] },
    proposed: {
      terminated: ['Gekündigt', 'Resigned', 'Inaktiv'],
      pending: ['Hired', 'Eingestellt'],
      suspended: ['Freigestellt'],
    },
    unknown: ['Nicht aktiv', 'Ungekündigt', 'Not terminated', 'Ja', 'TRUE', '1'],
  },
  {
    resource: 'candidates',
    field: 'status',
    certain: { hired: ['Hired'], archived: ['Abgelehnt'] },
    proposed: { hired: ['Eingestellt'] },
    unknown: ['Nicht abgelehnt', 'Unrejected'],
  },
  {
    resource: 'leave',
    field: 'leave_type',
    certain: { annual: ['Urlaub', 'Vacation'], unpaid: ['Unbezahlter Urlaub'], sick: ['Krank'] },
    proposed: { annual: ['Holiday'], parental: ['Unpaid parental leave'] },
    unknown: ['Kind krank', 'Sonderurlaub', 'Paid'],
  },
  {
    resource: 'candidates',
    field: 'source',
    certain: {
      referral: ['Referral', 'Empfehlung'],
      event: ['Messe', 'Job fair'],
      job_board: ['Xing', 'karriere.at', 'Indeed'],
      career_site: ['Karriereseite', 'Careers page'],
    },
    proposed: { agency: ['Agentur für Arbeit'], event: ['Karrieremesse'] },
    unknown: ['Facebook Messenger', 'Preferred partner', 'Outsourced', 'Boxing club', 'Eventuell', 'Applied Materials'],
  },
]

describe('the words that a draft of a map translates', () => {
  for (const { resource, field, certain = {}, proposed = {}, unknown = [] } of lists) {
    for (const [value, words] of Object.entries(certain))
      it(`${field} of ${resource}: ${value}, without a question`, () => {
        for (const word of words) {
          const translation = translateValue(resource, field, word)
          assert.deepEqual([word, translation.value, translation.unsure], [word, value, undefined])
        }
      })
    for (const [value, words] of Object.entries(proposed))
      it(`${field} of ${resource}: ${value} is a proposal, and the draft asks`, () => {
        for (const word of words) {
          const translation = translateValue(resource, field, word)
          assert.deepEqual([word, translation.value, typeof translation.unsure], [word, value, 'string'])
        }
      })
    if (unknown.length > 0)
      it(`${field} of ${resource}: other words are unknown`, () => {
        for (const word of unknown) assert.equal(translateValue(resource, field, word).value, undefined, word)
      })
  }

  it('"NA" can be North America, so only "N/A" stands for no value', () => {
    assert.deepEqual(['N/A', 'none', '-', 'NA', 'Nina'].map(isPlaceholder), [true, true, true, false, false])
  })
})
