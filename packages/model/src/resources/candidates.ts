import { healthFilter } from '../health-rules.ts'
import { id, name, number, reference, state, text, timestamp, url } from '../schema/field.ts'
import { resource } from '../schema/resource.ts'
import { candidateSources, candidateStatuses } from '../schema/suggested-values.ts'

export const candidates = resource({
  path: 'candidates',
  table: 'candidates',
  schema: 'Candidate',
  operationSingular: 'Candidate',
  operationPlural: 'Candidates',
  title: 'candidate',
  titles: 'candidates',
  area: 'Recruiting',
  about: 'People who applied, were referred or were approached.',
  naturalKey: ['email'],
  computedFilters: [healthFilter('candidates')],
  search: {
    name: ['first_name', 'last_name'],
    codes: ['email'],
    ended: { status: ['hired', 'archived'] },
    fields: ['first_name', 'last_name', 'current_title', 'location', 'source', 'status'],
    related: [
      {
        name: 'application',
        about: 'The latest application of the candidate.',
        resource: 'applications',
        by: 'candidate_id',
        latest: 'applied_on',
        fields: ['id', 'stage', 'status', 'applied_on', 'stage_entered_on'],
        related: [
          { name: 'job', about: 'Its job opening.', resource: 'jobs', by: 'job_id', fields: ['id', 'code', 'title'] },
        ],
      },
      {
        name: 'employee',
        about: 'The employee that the candidate became.',
        resource: 'employees',
        by: 'candidate_id',
        latest: 'date_of_joining',
        fields: ['id', 'code'],
      },
    ],
  },
  fields: {
    id: id(),
    first_name: name('Given name.', { personal: true }),
    last_name: name('Family name.', { personal: true }),
    email: text('E-mail address.', { filter: true, personal: true }),
    phone: text('Telephone number.', { personal: true }),
    location: name('Place of residence.', { personal: true }),
    headline: text('One-line summary.'),
    current_title: name('Current job title.'),
    current_employer: name('Current employer.', { personal: true }),
    years_experience: number('Years of professional experience.'),
    linkedin_url: url('URL of the LinkedIn profile.', { personal: true }),
    source: text('Source of the candidate.', { filter: true, values: candidateSources }),
    referred_by: reference('employees', 'Employee who referred the candidate.', { as: 'referrer' }),
    consent_at: timestamp('When the candidate consented to the storage of their data.'),
    status: state('Status of the candidate.', { values: candidateStatuses, history: true }),
    notes: text('Notes of the recruiting team.', { personal: true }),
    created: timestamp('When the record was created.', { now: true }),
  },
})
