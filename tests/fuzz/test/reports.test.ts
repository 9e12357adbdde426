import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reports } from '@muster/model'
import { parseCsv } from '../report-checks.ts'
import { reportExpectation, reportOf } from '../report-model.ts'
import { rowsOfKind } from '../report-parameter-table.ts'
import { committedContract } from './support.ts'

const contract = committedContract()
const operation = contract.operation('getLeaveDaysReport')
const expectationOf = (query: string) => reportExpectation(operation, new Map(new URLSearchParams(query)))
const errorOf = (query: string) => expectationOf(query).errors?.[0]

describe('the expected outcome of a report', () => {
  it('is the report, unless it has too many rows', () => {
    for (const query of ['', 'from=&to= ', 'from=2026-03-02&to=2026-03-02T23:00', 'from=0001-01-01', 'employee_id=,'])
      assert.deepEqual(expectationOf(query).status, [200, 422], query)
  })

  it('is the violation that the declared check finds, with defaults filled in', () => {
    const toError = (type: string) => ({ loc: ['query', 'to'], type: [type] })
    assert.deepEqual(errorOf('from=2026-03-02&to=2026-03-01'), toError('date_order'))
    // The default of `from` follows `to`, so that this period is valid.
    assert.deepEqual(errorOf('as_of=2026-03-02&to=2026-03-01'), { loc: ['query'], type: ['too_many_rows'] })
    assert.deepEqual(errorOf('from=0001-01-01&to=9999-12-31'), toError('period_too_long'))
    assert.deepEqual(errorOf('from=2026-01-01&to=2026-12-31'), { loc: ['query'], type: ['too_many_rows'] })
  })

  it('has a content type if CSV is asked for', () => {
    assert.match(expectationOf('format=csv').contentType ?? '', /^text\/csv/)
    assert.equal(expectationOf('format=json').contentType, undefined)
  })
})

describe('the contract', () => {
  it('has an operation for every report, with values to send for every parameter', () => {
    const operations = contract.operations.filter(({ kind }) => kind === 'report')
    assert.deepEqual(operations.map(reportOf), reports)
    for (const { allParameters } of reports)
      for (const parameter of allParameters) {
        const outcomes = rowsOfKind(parameter).map(([, outcome]) => Object.keys(outcome)[0])
        assert.ok(outcomes.includes('served') && outcomes.includes('error'), parameter.name)
      }
  })
})

describe('a parsed CSV', () => {
  it('tells null from an empty string, and undoes quotes', () => {
    assert.deepEqual(parseCsv('a,b,c\n1,,""\n"x,""y""\n",2,\n'), [
      ['a', 'b', 'c'],
      ['1', null, ''],
      ['x,"y"\n', '2', null],
    ])
  })
})
