// Filters, maximum lengths, defaults, references and searchable fields, written by hand from the API specification.
import type { Resource } from './field-table.ts'

type Filters = { text: string[]; integer: string[] }

/** The equality filters of each list. */
export const filterTable: Record<Resource, Filters> = {
  employees: {
    text: ['code', 'email', 'designation', 'branch', 'status', 'employment_type'],
    integer: ['dept_id', 'manager_id', 'candidate_id', 'alumni'],
  },
  departments: { text: ['name'], integer: [] },
  leave: { text: ['leave_type', 'status'], integer: ['employee_id'] },
  attendance: { text: ['status'], integer: ['employee_id'] },
  jobs: {
    text: ['code', 'title', 'currency', 'location', 'remote_policy', 'employment_type', 'status'],
    integer: ['dept_id', 'hiring_manager_id'],
  },
  candidates: { text: ['email', 'source', 'status'], integer: ['referred_by'] },
  applications: { text: ['stage', 'status'], integer: ['candidate_id', 'job_id'] },
  organizations: { text: ['slug'], integer: [] },
  brands: { text: ['slug'], integer: ['organization_id'] },
  'career-sites': { text: ['slug'], integer: ['is_active'] },
  'organization-teams': { text: ['name', 'country'], integer: ['organization_id', 'parent_id', 'department_id'] },
  'job-distributions': {
    text: ['locale', 'slug', 'status'],
    integer: ['job_posting_id', 'career_site_id', 'brand_id'],
  },
}

/** Maximum length of each writable text field, in characters. */
export const longestText: Partial<Record<Resource, Record<string, number>>> = {
  leave: { leave_type: 20_000, status: 200, reason: 20_000 },
  applications: { stage: 200, status: 200, rejection_reason: 20_000 },
  organizations: { name: 500, slug: 200, default_locale: 200, timezone: 20_000, settings_json: 262_144 },
  brands: {
    name: 500,
    slug: 200,
    logo_url: 2048,
    favicon_url: 2048,
    primary_color: 200,
    accent_color: 200,
    custom_domain: 2048,
    settings_json: 262_144,
  },
  'career-sites': {
    name: 500,
    slug: 200,
    headline: 20_000,
    introduction: 20_000,
    brand_color: 200,
    accent_color: 200,
    logo_url: 2048,
    privacy_policy_url: 2048,
  },
  'organization-teams': { name: 500, country: 200, settings_json: 262_144 },
  'job-distributions': { locale: 200, slug: 200, status: 200 },
}

/** Text fields of a create body that must not be blank. All other text fields may be empty. */
export const neverBlank: Partial<Record<Resource, string[]>> = {
  leave: ['leave_type', 'status'],
  applications: ['stage', 'status'],
  organizations: ['name', 'slug'],
  brands: ['name', 'slug'],
  'career-sites': ['name', 'slug'],
  'organization-teams': ['name'],
  'job-distributions': ['slug', 'status'],
}

/** Values that a create stores if the field is omitted or null. */
export const defaults: Partial<Record<Resource, Record<string, string | number>>> = {
  leave: { status: 'pending' },
  applications: { stage: 'applied', status: 'active' },
  organizations: { default_locale: 'en', timezone: 'UTC' },
  'career-sites': { brand_color: '#1f2937', accent_color: '#2563eb', is_active: 1 },
  'job-distributions': { locale: 'en', status: 'draft' },
}

/** Dates that a create sets to today if omitted. An explicit null is stored as null. */
export const todayWhenOmitted: Partial<Record<Resource, string[]>> = {
  leave: ['applied_on'],
  applications: ['applied_on', 'stage_entered_on'],
}

/** The resource that each foreign key in a create body refers to. */
export const references: Partial<Record<Resource, Record<string, Resource>>> = {
  leave: { employee_id: 'employees' },
  applications: { candidate_id: 'candidates', job_id: 'jobs' },
  brands: { organization_id: 'organizations' },
  'organization-teams': {
    organization_id: 'organizations',
    parent_id: 'organization-teams',
    department_id: 'departments',
  },
  'job-distributions': { job_posting_id: 'jobs', career_site_id: 'career-sites', brand_id: 'brands' },
}

/** Fields that the parameter `q` searches. */
export const searchable: Record<Resource, string[]> = {
  employees: [
    'code',
    'first_name',
    'last_name',
    'email',
    'designation',
    'branch',
    'status',
    'gender',
    'employment_type',
  ],
  departments: ['name'],
  leave: ['leave_type', 'status', 'reason'],
  attendance: ['status'],
  jobs: [
    'code',
    'title',
    'currency',
    'location',
    'remote_policy',
    'employment_type',
    'status',
    'description',
    'requirements',
  ],
  candidates: [
    'first_name',
    'last_name',
    'email',
    'phone',
    'location',
    'headline',
    'current_title',
    'current_employer',
    'source',
    'status',
    'notes',
  ],
  applications: ['stage', 'status', 'rejection_reason'],
  organizations: ['name', 'slug', 'default_locale', 'timezone'],
  brands: ['name', 'slug', 'custom_domain'],
  'career-sites': ['name', 'slug', 'headline', 'introduction'],
  'organization-teams': ['name', 'country'],
  'job-distributions': ['locale', 'slug', 'status'],
}

/** Writable text fields that the parameter `q` does not search. */
export const unsearchable: Partial<Record<Resource, string[]>> = {
  organizations: ['settings_json'],
  brands: ['logo_url', 'favicon_url', 'primary_color', 'accent_color', 'settings_json'],
  'career-sites': ['brand_color', 'accent_color', 'logo_url', 'privacy_policy_url'],
  'organization-teams': ['settings_json'],
}

/** Fields of a create body that contain a URL. */
export const urlFields: Partial<Record<Resource, string[]>> = {
  brands: ['logo_url', 'favicon_url'],
  'career-sites': ['logo_url', 'privacy_policy_url'],
}
