// Covers dates and timestamps: what a create takes and how they are answered.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creatable, writableFieldsOf } from '../contract/contract.ts'
import { created, mark, marked, markedBody, minimalBody } from './bodies.ts'
import { get, object, post } from './http.ts'
import { expectFaults } from './refusals.ts'

const storedDates: [string, string][] = [
  ['2031-03-05', '2031-03-05'],
  ['2032-02-29', '2032-02-29'],
  ['2000-02-29', '2000-02-29'],
  ['1900-02-28', '1900-02-28'],
  ['0001-01-01', '0001-01-01'],
  ['9999-12-31', '9999-12-31'],
  ['2031-03-05T10:11:12Z', '2031-03-05'],
  ['2031-03-05T10:11:12', '2031-03-05'],
  ['2031-03-05 10:11:12', '2031-03-05'],
  ['2031-03-05 10:11:12.123456+05:30', '2031-03-05'],
  ['2031-03-05T23:30:00-05:00', '2031-03-05'],
  ['2031-03-05T00:30:00+05:00', '2031-03-05'],
]
for (const [sent, stored] of storedDates) {
  test(`the date ${sent} is stored as the day ${stored}`, async () => {
    const row = await created('leave', { leave_type: 'Annual', from_date: sent, to_date: sent, applied_on: sent })
    const days = { from_date: stored, to_date: stored, applied_on: stored }
    assert.deepEqual({ from_date: row.from_date, to_date: row.to_date, applied_on: row.applied_on }, days)
    assert.deepEqual(object(await get(`/v1/leave/${row.id}`)), row)
    const body = { ...(await minimalBody('applications')), applied_on: sent, stage_entered_on: sent }
    const application = await created('applications', body)
    assert.deepEqual([application.applied_on, application.stage_entered_on], [stored, stored])
  })
}

const storedTimes: [string, string][] = [
  ['2031-03-05', '2031-03-05T00:00:00Z'],
  ['2031-03-05T10:11:12Z', '2031-03-05T10:11:12Z'],
  ['2031-03-05T10:11:12', '2031-03-05T10:11:12Z'],
  ['2031-03-05 10:11:12', '2031-03-05T10:11:12Z'],
  ['2031-03-05 10:11:12Z', '2031-03-05T10:11:12Z'],
  ['2031-03-05T10:11:12+00:00', '2031-03-05T10:11:12Z'],
  ['2031-03-05T10:11:12-00:00', '2031-03-05T10:11:12Z'],
  ['2031-03-05T10:11:12+02:00', '2031-03-05T08:11:12Z'],
  ['2031-03-05T10:11:12-03:30', '2031-03-05T13:41:12Z'],
  ['2031-01-01T00:30:00+01:00', '2030-12-31T23:30:00Z'],
  ['2031-12-31T23:30:00-01:00', '2032-01-01T00:30:00Z'],
  ['2031-03-05T10:11:12.000Z', '2031-03-05T10:11:12Z'],
  ['2031-03-05T10:11:12.123Z', '2031-03-05T10:11:12.123Z'],
  ['2031-03-05T10:11:12.123456Z', '2031-03-05T10:11:12.123456Z'],
  ['2031-03-05T10:11:12.000001Z', '2031-03-05T10:11:12.000001Z'],
  ['1969-12-31T23:59:59.25Z', '1969-12-31T23:59:59.25Z'],
  ['2031-03-05T10:11:12.5+02:00', '2031-03-05T08:11:12.5Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
]
for (const [sent, stored] of storedTimes) {
  test(`the timestamp ${sent} is stored as ${stored}`, async () => {
    const row = await created('job-distributions', { ...(await minimalBody('job-distributions')), published_at: sent })
    // Zeros at the end of a fraction say nothing.
    assert.equal(String(row.published_at).replace(/(\.\d*?)0+Z$/, '$1Z'), stored)
    assert.deepEqual(object(await get(`/v1/job-distributions/${row.id}`)), row)
  })
}

const refused = [
  '',
  ' ',
  '2031-02-29',
  '2031-02-30',
  '2100-02-29',
  '2031-04-31',
  '2031-13-01',
  '2031-00-10',
  '2031-01-00',
  '2031-01-32',
  '0000-01-01',
  '2031-1-5',
  '31-01-05',
  '20310105',
  '12031-01-05',
  '+2031-01-05',
  '-2031-01-05',
  '05.01.2031',
  '01/05/2031',
  '2031/01/05',
  '2031-01',
  '2031',
  '2031-W01-1',
  '2031-001',
  ' 2031-01-05',
  '2031-01-05 ',
  '2031-01-05\n',
  '2031-01-05T',
  '2031-01-05T25:00:00Z',
  '2031-01-05T10:60:00Z',
  '2031-01-05T10:00:61Z',
  '2031-01-05T10:00:00+25:00',
  '2031-01-05T10:00:00+01:60',
  '2031-01-05T10:00:00.Z',
  '2031-01-05T10:00:00 Z',
  '2031-01-05  10:00:00',
  '2031-02-30T10:00:00Z',
  '2031-01-05T10:00:00Zx',
  '2031-01-05T10:00:00 Europe/Berlin',
  '２０３１-01-05',
  '٢٠٣١-٠١-٠٥',
  'today',
  'now',
  'tomorrow',
  'infinity',
  '-infinity',
  'epoch',
  'allballs',
  '0001-01-01 BC',
  '1925084800',
  'null',
  "2031-01-05'; --",
]
const dateFields = creatable.flatMap((resource) =>
  writableFieldsOf(resource).filter(({ kind }) => kind === 'date' || kind === 'timestamp'),
)
for (const { resource, field, kind } of dateFields) {
  test(`${resource}.${field} refuses what is neither a real date nor a date-time`, async () => {
    const word = mark()
    const body = await markedBody(resource, word)
    const type = kind === 'date' ? 'date_parsing' : 'datetime_parsing'
    for (const text of refused) {
      const answer = await post(`/v1/${resource}`, { ...body, [field]: text })
      assert.equal(answer.status, 422, `${JSON.stringify(text)}: ${answer.text}`)
      expectFaults(answer, [{ type, loc: ['body', field] }])
    }
    assert.equal(await marked(resource, word), 0)
  })

  test(`${resource}.${field} never breaks the service at the edges of the calendar`, async () => {
    const edges = [
      '0001-01-01T00:00:00+14:00',
      '9999-12-31T23:59:59-12:00',
      '9999-12-31T23:59:59.999999999Z',
      '2031-12-31T23:59:60Z',
      '2031-01-05T24:00:00Z',
      '2031-01-05T10:00',
      '2031-01-05T10',
      '2031-01-05t10:00:00z',
      '2031-01-05T10:00:00+0100',
      '2031-01-05T10:00:00+01',
      '2031-01-05T10:00:00,5Z',
      '2031-01-05T10:00:00.1234567890123456789Z',
      '2031-01-05T10:00:00+23:59',
    ]
    for (const text of edges) {
      const { status } = await post(`/v1/${resource}`, { ...(await minimalBody(resource)), [field]: text })
      assert.ok(status === 201 || status === 422, `${text} answers ${status}`)
    }
  })
}

test('a leave that ends before it starts is refused', async () => {
  const word = mark()
  const pairs = [
    ['2031-03-05', '2031-03-04'],
    ['2031-01-01', '2030-12-31'],
    ['2031-03-05', '0001-01-01'],
    ['2031-03-05T00:00:00Z', '2031-03-04T23:59:59Z'],
  ]
  for (const [from_date, to_date] of pairs) {
    const answer = await post('/v1/leave', { leave_type: word, from_date, to_date })
    expectFaults(answer, [{ type: 'date_order', loc: ['body', 'to_date'] }])
  }
  assert.equal(await marked('leave', word), 0)
})

test('a leave may start and end on one day, or have only one of the two dates', async () => {
  const one = await created('leave', { leave_type: 'Annual', from_date: '2031-03-05', to_date: '2031-03-05' })
  assert.deepEqual([one.from_date, one.to_date], ['2031-03-05', '2031-03-05'])
  const open = await created('leave', { leave_type: 'Annual', from_date: '2031-03-05' })
  assert.deepEqual([open.from_date, open.to_date], ['2031-03-05', null])
  const ended = await created('leave', { leave_type: 'Annual', from_date: null, to_date: '2031-03-05' })
  assert.deepEqual([ended.from_date, ended.to_date], [null, '2031-03-05'])
})

test('dates are compared as stored days, not as the moments that were sent', async () => {
  const body = { leave_type: 'Annual', from_date: '2031-03-05T22:00:00Z', to_date: '2031-03-05T01:00:00Z' }
  const row = await created('leave', body)
  assert.deepEqual([row.from_date, row.to_date], ['2031-03-05', '2031-03-05'])
})
