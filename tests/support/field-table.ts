// The 129 fields of the 12 resources, written by hand from the API specification so as to be independent of the code.

export const resources = [
  'employees',
  'departments',
  'leave',
  'attendance',
  'jobs',
  'candidates',
  'applications',
  'organizations',
  'brands',
  'career-sites',
  'organization-teams',
  'job-distributions',
] as const
export type Resource = (typeof resources)[number]

export type JsonType = 'integer' | 'number' | 'string'
export type FieldKind = 'integer' | 'number' | 'text' | 'date' | 'timestamp' | 'json'
export type CreatePresence = 'none' | 'optional' | 'required'

export type Field = {
  resource: Resource
  field: string
  type: JsonType
  kind: FieldKind
  nullable: boolean
  required: boolean
  create: CreatePresence
}

type FieldRow = [
  Resource,
  string,
  JsonType,
  FieldKind,
  'or null' | 'never null',
  'required' | 'optional',
  CreatePresence,
]

// Columns: resource, field, JSON type, kind, nullability, presence in responses, presence in create bodies.
const fieldRows: FieldRow[] = [
  ['employees', 'id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['employees', 'code', 'string', 'text', 'or null', 'optional', 'none'],
  ['employees', 'first_name', 'string', 'text', 'or null', 'optional', 'none'],
  ['employees', 'last_name', 'string', 'text', 'or null', 'optional', 'none'],
  ['employees', 'email', 'string', 'text', 'or null', 'optional', 'none'],
  ['employees', 'dept_id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['employees', 'designation', 'string', 'text', 'or null', 'optional', 'none'],
  ['employees', 'manager_id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['employees', 'branch', 'string', 'text', 'or null', 'optional', 'none'],
  ['employees', 'status', 'string', 'text', 'never null', 'required', 'none'],
  ['employees', 'date_of_joining', 'string', 'date', 'or null', 'optional', 'none'],
  ['employees', 'gender', 'string', 'text', 'or null', 'optional', 'none'],
  ['employees', 'base_salary', 'number', 'number', 'or null', 'optional', 'none'],
  ['employees', 'candidate_id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['employees', 'employment_type', 'string', 'text', 'or null', 'optional', 'none'],
  ['employees', 'probation_end', 'string', 'date', 'or null', 'optional', 'none'],
  ['employees', 'termination_date', 'string', 'date', 'or null', 'optional', 'none'],
  ['employees', 'alumni', 'integer', 'integer', 'never null', 'required', 'none'],
  ['employees', 'password_hash', 'string', 'text', 'or null', 'optional', 'none'],

  ['departments', 'id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['departments', 'name', 'string', 'text', 'never null', 'required', 'none'],

  ['leave', 'id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['leave', 'employee_id', 'integer', 'integer', 'or null', 'optional', 'optional'],
  ['leave', 'leave_type', 'string', 'text', 'never null', 'required', 'required'],
  ['leave', 'from_date', 'string', 'date', 'or null', 'optional', 'optional'],
  ['leave', 'to_date', 'string', 'date', 'or null', 'optional', 'optional'],
  ['leave', 'days', 'number', 'number', 'or null', 'optional', 'optional'],
  ['leave', 'status', 'string', 'text', 'never null', 'required', 'optional'],
  ['leave', 'reason', 'string', 'text', 'or null', 'optional', 'optional'],
  ['leave', 'applied_on', 'string', 'date', 'or null', 'optional', 'optional'],

  ['attendance', 'id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['attendance', 'employee_id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['attendance', 'att_date', 'string', 'date', 'never null', 'required', 'none'],
  ['attendance', 'status', 'string', 'text', 'never null', 'required', 'none'],
  ['attendance', 'hours', 'number', 'number', 'or null', 'optional', 'none'],

  ['jobs', 'id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['jobs', 'code', 'string', 'text', 'or null', 'optional', 'none'],
  ['jobs', 'title', 'string', 'text', 'never null', 'required', 'none'],
  ['jobs', 'dept_id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['jobs', 'hiring_manager_id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['jobs', 'headcount', 'integer', 'integer', 'never null', 'required', 'none'],
  ['jobs', 'filled', 'integer', 'integer', 'never null', 'required', 'none'],
  ['jobs', 'comp_min', 'number', 'number', 'or null', 'optional', 'none'],
  ['jobs', 'comp_max', 'number', 'number', 'or null', 'optional', 'none'],
  ['jobs', 'currency', 'string', 'text', 'or null', 'optional', 'none'],
  ['jobs', 'location', 'string', 'text', 'or null', 'optional', 'none'],
  ['jobs', 'remote_policy', 'string', 'text', 'or null', 'optional', 'none'],
  ['jobs', 'employment_type', 'string', 'text', 'or null', 'optional', 'none'],
  ['jobs', 'status', 'string', 'text', 'never null', 'required', 'none'],
  ['jobs', 'description', 'string', 'text', 'or null', 'optional', 'none'],
  ['jobs', 'requirements', 'string', 'text', 'or null', 'optional', 'none'],
  ['jobs', 'stages_json', 'string', 'json', 'or null', 'optional', 'none'],
  ['jobs', 'opened_on', 'string', 'date', 'or null', 'optional', 'none'],
  ['jobs', 'target_date', 'string', 'date', 'or null', 'optional', 'none'],
  ['jobs', 'created', 'string', 'timestamp', 'or null', 'optional', 'none'],

  ['candidates', 'id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['candidates', 'first_name', 'string', 'text', 'or null', 'optional', 'none'],
  ['candidates', 'last_name', 'string', 'text', 'or null', 'optional', 'none'],
  ['candidates', 'email', 'string', 'text', 'or null', 'optional', 'none'],
  ['candidates', 'phone', 'string', 'text', 'or null', 'optional', 'none'],
  ['candidates', 'location', 'string', 'text', 'or null', 'optional', 'none'],
  ['candidates', 'headline', 'string', 'text', 'or null', 'optional', 'none'],
  ['candidates', 'current_title', 'string', 'text', 'or null', 'optional', 'none'],
  ['candidates', 'current_employer', 'string', 'text', 'or null', 'optional', 'none'],
  ['candidates', 'years_experience', 'number', 'number', 'or null', 'optional', 'none'],
  ['candidates', 'linkedin_url', 'string', 'text', 'or null', 'optional', 'none'],
  ['candidates', 'source', 'string', 'text', 'or null', 'optional', 'none'],
  ['candidates', 'referred_by', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['candidates', 'consent_at', 'string', 'timestamp', 'or null', 'optional', 'none'],
  ['candidates', 'status', 'string', 'text', 'never null', 'required', 'none'],
  ['candidates', 'notes', 'string', 'text', 'or null', 'optional', 'none'],
  ['candidates', 'created', 'string', 'timestamp', 'or null', 'optional', 'none'],

  ['applications', 'id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['applications', 'candidate_id', 'integer', 'integer', 'never null', 'required', 'required'],
  ['applications', 'job_id', 'integer', 'integer', 'never null', 'required', 'required'],
  ['applications', 'stage', 'string', 'text', 'never null', 'required', 'optional'],
  ['applications', 'status', 'string', 'text', 'never null', 'required', 'optional'],
  ['applications', 'applied_on', 'string', 'date', 'or null', 'optional', 'optional'],
  ['applications', 'stage_entered_on', 'string', 'date', 'or null', 'optional', 'optional'],
  ['applications', 'rating', 'number', 'number', 'or null', 'optional', 'optional'],
  ['applications', 'rejection_reason', 'string', 'text', 'or null', 'optional', 'optional'],
  ['applications', 'created', 'string', 'timestamp', 'or null', 'optional', 'none'],

  ['organizations', 'id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['organizations', 'name', 'string', 'text', 'never null', 'required', 'required'],
  ['organizations', 'slug', 'string', 'text', 'never null', 'required', 'required'],
  ['organizations', 'default_locale', 'string', 'text', 'never null', 'required', 'optional'],
  ['organizations', 'timezone', 'string', 'text', 'never null', 'required', 'optional'],
  ['organizations', 'settings_json', 'string', 'json', 'or null', 'optional', 'optional'],
  ['organizations', 'created', 'string', 'timestamp', 'never null', 'required', 'none'],

  ['brands', 'id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['brands', 'organization_id', 'integer', 'integer', 'never null', 'required', 'required'],
  ['brands', 'name', 'string', 'text', 'never null', 'required', 'required'],
  ['brands', 'slug', 'string', 'text', 'never null', 'required', 'required'],
  ['brands', 'logo_url', 'string', 'text', 'or null', 'optional', 'optional'],
  ['brands', 'favicon_url', 'string', 'text', 'or null', 'optional', 'optional'],
  ['brands', 'primary_color', 'string', 'text', 'or null', 'optional', 'optional'],
  ['brands', 'accent_color', 'string', 'text', 'or null', 'optional', 'optional'],
  ['brands', 'custom_domain', 'string', 'text', 'or null', 'optional', 'optional'],
  ['brands', 'settings_json', 'string', 'json', 'or null', 'optional', 'optional'],
  ['brands', 'created', 'string', 'timestamp', 'never null', 'required', 'none'],
  ['brands', 'updated', 'string', 'timestamp', 'never null', 'required', 'none'],

  ['career-sites', 'id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['career-sites', 'name', 'string', 'text', 'never null', 'required', 'required'],
  ['career-sites', 'slug', 'string', 'text', 'never null', 'required', 'required'],
  ['career-sites', 'headline', 'string', 'text', 'or null', 'optional', 'optional'],
  ['career-sites', 'introduction', 'string', 'text', 'or null', 'optional', 'optional'],
  ['career-sites', 'brand_color', 'string', 'text', 'never null', 'required', 'optional'],
  ['career-sites', 'accent_color', 'string', 'text', 'never null', 'required', 'optional'],
  ['career-sites', 'logo_url', 'string', 'text', 'or null', 'optional', 'optional'],
  ['career-sites', 'privacy_policy_url', 'string', 'text', 'or null', 'optional', 'optional'],
  ['career-sites', 'custom_domain', 'string', 'text', 'or null', 'optional', 'none'],
  ['career-sites', 'is_active', 'integer', 'integer', 'never null', 'required', 'optional'],
  ['career-sites', 'created', 'string', 'timestamp', 'never null', 'required', 'none'],
  ['career-sites', 'updated', 'string', 'timestamp', 'never null', 'required', 'none'],

  ['organization-teams', 'id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['organization-teams', 'organization_id', 'integer', 'integer', 'never null', 'required', 'required'],
  ['organization-teams', 'parent_id', 'integer', 'integer', 'or null', 'optional', 'optional'],
  ['organization-teams', 'name', 'string', 'text', 'never null', 'required', 'required'],
  ['organization-teams', 'country', 'string', 'text', 'or null', 'optional', 'optional'],
  ['organization-teams', 'department_id', 'integer', 'integer', 'or null', 'optional', 'optional'],
  ['organization-teams', 'settings_json', 'string', 'json', 'or null', 'optional', 'optional'],

  ['job-distributions', 'id', 'integer', 'integer', 'or null', 'optional', 'none'],
  ['job-distributions', 'job_posting_id', 'integer', 'integer', 'never null', 'required', 'required'],
  ['job-distributions', 'career_site_id', 'integer', 'integer', 'never null', 'required', 'required'],
  ['job-distributions', 'brand_id', 'integer', 'integer', 'or null', 'optional', 'optional'],
  ['job-distributions', 'locale', 'string', 'text', 'never null', 'required', 'optional'],
  ['job-distributions', 'slug', 'string', 'text', 'never null', 'required', 'required'],
  ['job-distributions', 'status', 'string', 'text', 'never null', 'required', 'optional'],
  ['job-distributions', 'published_at', 'string', 'timestamp', 'or null', 'optional', 'optional'],
]

export const fieldTable: Field[] = fieldRows.map(([resource, field, type, kind, nullability, response, create]) => ({
  resource,
  field,
  type,
  kind,
  nullable: nullability === 'or null',
  required: response === 'required',
  create,
}))

export function fieldsOf(resource: Resource): Field[] {
  return fieldTable.filter((field) => field.resource === resource)
}

export function writableFieldsOf(resource: Resource): Field[] {
  return fieldsOf(resource).filter((field) => field.create !== 'none')
}

/** The seven resources with a create operation. */
export const creatable: Resource[] = [
  'leave',
  'applications',
  'organizations',
  'brands',
  'career-sites',
  'organization-teams',
  'job-distributions',
]

export const readOnly: Resource[] = ['employees', 'departments', 'attendance', 'jobs', 'candidates']

const dateFormat = /^\d{4}-\d{2}-\d{2}$/
// Fractional seconds appear only if they are not zero.
const timestampFormat = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d*[1-9]\d*)?Z$/

/** Describes what is wrong with a field value in a response. Undefined if the value is valid. */
export function errorOfValue(field: Field, value: unknown): string | undefined {
  const name = `${field.resource}.${field.field}`
  if (value === undefined) return `${name} is absent`
  if (value === null) return field.nullable ? undefined : `${name} is null`
  if (!hasType(field.type, value)) return `${name} is not of type ${field.type}: ${JSON.stringify(value)}`
  return typeof value === 'string' && !hasKind(field.kind, value) ? `${name} is no ${field.kind}: ${value}` : undefined
}

function hasType(type: JsonType, value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value)
  return typeof value === type
}

function hasKind(kind: FieldKind, value: string): boolean {
  if (kind === 'date') return dateFormat.test(value) && isCalendarDay(value)
  if (kind === 'timestamp') return timestampFormat.test(value) && isCalendarDay(value.slice(0, 10))
  if (kind === 'json') return isJson(value)
  return true
}

function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
