/**
 * Deliberate bugs for testing the fuzzer: each is one change in one source file, with the check that must detect it.
 */
import type { Mutation } from '../mutations/mutation.ts'

export interface FuzzMutation extends Mutation {
  readonly about: string
  /** Name of the check that must fail. */
  readonly check: string
}

export const mutations: readonly FuzzMutation[] = [
  {
    about: 'wrong nullability: the OpenAPI document says that the reason of a leave request is never null',
    file: 'packages/model/src/openapi/json-schema.ts',
    from: 'type: orNull(typeOf(field), !field.required),',
    to: "type: orNull(typeOf(field), !field.required && field.name !== 'reason'),",
    check: 'body schema',
  },
  {
    about: 'an undeclared status: responses over 2,000 characters get status 206',
    file: 'packages/server/src/http/response/reply.ts',
    from: '.code(status).send(body)',
    to: '.code((body?.length ?? 0) > 2_000 ? 206 : status).send(body)',
    check: 'status declared',
  },
  {
    about: 'a leaked field: records contain a database column that the OpenAPI document does not declare',
    file: 'packages/server/src/http/routes/list.ts',
    from: '[pageStart, records, ',
    to: '[pageStart, records.replaceAll(\'{"id":\', \'{"search_text":"x","id":\'), ',
    check: 'no undeclared key',
  },
  {
    about: 'an unknown property is accepted if its value is null',
    file: 'packages/model/src/validation/validate-body.ts',
    from: 'if (!declared.has(name)) errors.push(',
    to: 'if (!declared.has(name) && given !== null) errors.push(',
    check: 'status expected',
  },
  {
    about: 'a string with U+0000 is sent to the database, which rejects it',
    file: 'packages/model/src/validation/value.ts',
    from: "value.isWellFormed() && !value.includes('\\u0000')",
    to: 'value.isWellFormed()',
    check: 'error named',
  },
  {
    about: 'a rejected create stores its record',
    file: 'packages/server/src/queries/create/create.ts',
    from: 'const conflicts = await conflictErrors(database, resource, complete).catch(noneIfUnavailable)',
    to: `if (errors.every(({ type }) => type === 'extra_forbidden')) await database.run(insertStatement(resource, complete, origin))
    const conflicts = await conflictErrors(database, resource, complete).catch(noneIfUnavailable)`,
    check: 'nothing left behind',
  },
  {
    about: 'a stored string differs from the one sent: it is normalized to NFC',
    file: 'packages/model/src/validation/value.ts',
    from: "if (field.kind === 'json') return validateJson(value)\n  return { stored: value }",
    to: "if (field.kind === 'json') return validateJson(value)\n  return { stored: value.normalize('NFC') }",
    check: 'stored exactly',
  },
  {
    about: 'pages are not ordered by id',
    file: 'packages/server/src/queries/list/scan.ts',
    from: '}order by id`',
    to: '}order by id % 7, id`',
    check: 'paging',
  },
  {
    about: 'a filter that excludes two values excludes only the first',
    file: 'packages/server/src/http/request/filter-value.ts',
    from: 'excludedValues: [...new Set(values)]',
    to: 'excludedValues: values.slice(0, 1)',
    check: 'complement',
  },
  {
    about: 'an export ignores the filters that exclude values',
    file: 'packages/server/src/queries/export.ts',
    from: 'conditionsOf(resource, query,',
    to: "conditionsOf(resource, { ...query, filters: query.filters.filter((filter) => !('excludedValues' in filter)) },",
    check: 'same total',
  },
  {
    about: 'the CSV form of a report lacks its last row',
    file: 'packages/server/src/http/response/report-response.ts',
    from: 'mapInSlices(rows, (row) => `${allColumns.map(',
    to: 'mapInSlices(rows.slice(0, -1), (row) => `${allColumns.map(',
    check: 'csv',
  },
  {
    about: 'a report links to a list with a parameter that the list does not have',
    file: 'packages/model/src/reports/leave-days.ts',
    from: 'from_date_to: day, to_date_from: day',
    to: 'from_date_to: day, to_date_after: day',
    check: 'link',
  },
  {
    about: 'U+0000 in a parameter of a report reaches PostgreSQL, which causes a 503',
    file: 'packages/server/src/http/request/report-query.ts',
    from: 'value: values.filter((value) => !isImpossible(value))',
    to: 'value: values',
    check: 'status expected',
  },
]
