/** Declares candidates. */
import { id, name, number, reference, state, text, timestamp, url } from '../field.ts'
import { resource } from '../resource.ts'
import { candidateSources, candidateStatuses } from '../vocabularies.ts'

export const candidates = resource({
  path: 'candidates',
  table: 'candidates',
  schema: 'Candidate',
  one: 'Candidate',
  many: 'Candidates',
  title: 'candidate',
  titles: 'candidates',
  area: 'Recruiting',
  about: 'People who applied, were referred or were approached.',
  fields: {
    id: id(),
    first_name: name('Given name.', { personal: true }),
    last_name: name('Family name.', { personal: true }),
    email: text('E-mail address.', { filter: true, personal: true }),
    phone: text('Telephone number.', { personal: true }),
    location: name('Where the person lives.', { personal: true }),
    headline: text('The person in one line.'),
    current_title: name('Present job title.'),
    current_employer: name('Present employer.', { personal: true }),
    years_experience: number('Years of professional experience.'),
    linkedin_url: url('Public profile.', { personal: true }),
    source: text('How the person was found.', { filter: true, values: candidateSources }),
    referred_by: reference('employees', 'Employee who referred the person.', { as: 'referrer' }),
    consent_at: timestamp('When the person agreed to their data being kept.'),
    status: state('Where the person stands.', { values: candidateStatuses }),
    notes: text('Notes of the recruiting team.', { personal: true }),
    created: timestamp('When the record was made.'),
  },
})
