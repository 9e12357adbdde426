/** In charge of the faults a request can have: their types, their exact messages and the shape of one entry. */

/**
 * Messages with a number in them take it from `ctx`, so that entry and message cannot disagree. What stands in brackets is
 * said only where there is a `ctx`.
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
  too_many_groups: 'There should be at most {max_groups} groups: narrow the list, or count by something coarser',
  string_pattern_mismatch: "String should match pattern '{pattern}'",
  date_parsing: 'Input should be a valid date: YYYY-MM-DD, or a date-time whose day is taken',
  datetime_parsing: 'Input should be a valid date-time: RFC 3339, or YYYY-MM-DD for midnight UTC',
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
  url_scheme: 'URL scheme should not be {scheme}',
} as const

export type FaultType = keyof typeof messages
export const faultTypes = Object.keys(messages) as readonly FaultType[]

export type Context = Readonly<Record<string, string | number>>

/** One entry of a refusal; the order of the keys is the order on the wire. */
export interface Fault {
  readonly type: FaultType
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly input?: unknown
  readonly ctx?: Context
}

/** What is wrong with a value, before it is known where the value stood. */
export interface Flaw {
  readonly type: FaultType
  readonly ctx?: Context
}

export const faultMessage = ({ type, ctx }: Flaw): string =>
  messages[type]
    .replace(/\[(.*)\]/, ctx === undefined ? '' : '$1')
    .replace(/\{(\w+)\}/g, (_, name: string) => String(ctx?.[name]))

/** The entry for a flaw found at a place; `input` is left out when it is undefined. */
export const faultAt = (loc: Fault['loc'], flaw: Flaw, input?: unknown): Fault => ({
  type: flaw.type,
  loc,
  msg: faultMessage(flaw),
  ...(input === undefined ? {} : { input }),
  ...(flaw.ctx === undefined ? {} : { ctx: flaw.ctx }),
})
