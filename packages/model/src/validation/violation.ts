/**
 * The message of each error type. Placeholders in braces are replaced by values of `ctx`, and text in brackets is
 * omitted if the error has no `ctx`.
 */
const messages = {
  missing: 'Field required',
  extra_forbidden: 'Extra inputs are not permitted',
  int_type: 'Input should be a valid integer',
  int_from_float: 'Input should be a valid integer, got a number with a fractional part',
  int_out_of_range: 'Input should be within the range of a safe integer',
  int_parsing: 'Input should be a valid integer, unable to parse string as an integer',
  int_parsing_size: 'Unable to parse input string as an integer, exceeded maximum size',
  greater_than_equal: 'Input should be greater than or equal to {ge}',
  less_than_equal: 'Input should be less than or equal to {le}',
  float_parsing: 'Input should be a valid number, unable to parse string as a number',
  bool_parsing: 'Input should be a valid boolean, unable to interpret input',
  too_long: 'List should have at most {max_length} items',
  literal_error: 'Input should be one of {expected}',
  duplicate_item: 'Items should be unique',
  float_type: 'Input should be a valid number',
  finite_number: 'Input should be a finite number',
  number_underflow: 'Input should be 0 or at least 5e-324 away from it',
  string_type: 'Input should be a valid string',
  string_too_short: 'String should have at least {min_length} character',
  string_too_long: 'String should have at most {max_length} characters',
  string_unicode: 'Input should be a valid string, unable to parse raw data as a unicode string',
  relation_in_csv: 'Related records have no place in CSV',
  too_many_rows: 'There should be at most {max_rows} rows: narrow the report, or group by something coarser',
  too_many_groups: 'There should be at most {max_groups} groups: narrow the list, or count by something coarser',
  string_pattern_mismatch: "String should match pattern '{pattern}'",
  date_parsing: 'Input should be a valid date: YYYY-MM-DD, or a date-time whose day is taken',
  datetime_parsing: 'Input should be a valid date-time: RFC 3339, or YYYY-MM-DD for midnight UTC',
  cursor_parsing: 'Input should be a cursor that this service has returned',
  month_parsing: 'Input should be a valid month: YYYY-MM',
  month_day_parsing: 'Input should be a day of the year: MM-DD',
  period_too_long: 'The period should have at most {max_days} days',
  too_many_months: 'The period should have at most {max_months} months',
  date_order: 'Input should not be before {not_before}',
  json_invalid: 'Input should be valid JSON: {error}',
  duplicate_key: 'Property names should be unique within an object',
  model_type: 'Input should be an object',
  too_many_items: 'Body should hold at most {max_items} names and items',
  body_missing: 'A JSON body is required',
  content_type: 'Content-Type should be application/json',
  encoding: 'Body should be UTF-8 text without a byte order mark and without a content encoding',
  reference_not_found: 'No {resource} has this id',
  already_exists: 'Another record has this value already',
  value_refused: 'The database does not take this value',
  field_redacted: 'Filtering or sorting by this field needs a token',
  field_unknown: "No field is called '{name}'",
  relation_unknown: "No related record is called '{name}'",
  unexpected_parameter: 'This operation has no such parameter[; did you mean {did_you_mean}?]',
  parameter_conflict: 'This parameter cannot be combined with {other}',
  field_not_filterable: 'This field has no filter by value[; did you mean {did_you_mean}?]',
  url_scheme: 'URL scheme should not be {scheme}',
} as const

export type ErrorType = keyof typeof messages
export const errorTypes = Object.keys(messages) as readonly ErrorType[]

export type ErrorContext = Readonly<Record<string, string | number>>

/** One error in an error response. Responses contain its properties in this order. */
export interface ValidationError {
  readonly type: ErrorType
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly input?: unknown
  readonly ctx?: ErrorContext
}

/** What is wrong with a value, without the location of the value. */
export interface Violation {
  readonly type: ErrorType
  readonly ctx?: ErrorContext
}

export const errorMessage = ({ type, ctx }: Violation): string =>
  messages[type]
    .replace(/\[(.*)\]/, ctx === undefined ? '' : '$1')
    .replace(/\{(\w+)\}/g, (_, name: string) => String(ctx?.[name]))

/** Creates the error for a violation at a location. If `input` is undefined, the error has no property `input`. */
export const errorAt = (loc: ValidationError['loc'], violation: Violation, input?: unknown): ValidationError => ({
  type: violation.type,
  loc,
  msg: errorMessage(violation),
  ...(input === undefined ? {} : { input }),
  ...(violation.ctx === undefined ? {} : { ctx: violation.ctx }),
})
