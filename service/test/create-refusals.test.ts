/** Every way a create body can be wrong, and the exact entry that says so. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { ask, post } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'

describe('a create body', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`
      insert into organizations (name, slug) values ('One', 'one'), ('Two', 'two');
      insert into organization_teams (organization_id, name) values (1, 'Top');
    `)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const errors = async (path: string, body: unknown, headers?: Record<string, string>) => {
    const answer = await post(`${service.base}/v1/${path}`, body, headers)
    assert.equal(answer.status, 422, answer.text)
    assert.deepEqual(Object.keys(answer.json), ['error'])
    assert.equal(answer.json.error.code, 'validation_error')
    assert.equal(answer.json.error.details.request_id, answer.headers.get('x-request-id'))
    return answer.json.error.details.errors
  }

  const leaveFaults: [name: string, field: string, json: string, entry: object][] = [
    [
      'a string for an integer',
      'employee_id',
      '"1"',
      { type: 'int_type', msg: 'Input should be a valid integer', input: '1' },
    ],
    [
      'true for an integer',
      'employee_id',
      'true',
      { type: 'int_type', msg: 'Input should be a valid integer', input: true },
    ],
    ['a list for an integer', 'employee_id', '[1]', { type: 'int_type', msg: 'Input should be a valid integer' }],
    [
      'a fraction for an integer',
      'employee_id',
      '1.5',
      {
        type: 'int_from_float',
        msg: 'Input should be a valid integer, got a number with a fractional part',
        input: 1.5,
      },
    ],
    [
      '2^53 for an integer',
      'employee_id',
      '9007199254740992',
      { type: 'int_out_of_range', msg: 'Input should be within the range of a safe integer', input: 9007199254740992 },
    ],
    [
      '2^63 for an integer',
      'employee_id',
      '9223372036854775808',
      {
        type: 'int_out_of_range',
        msg: 'Input should be within the range of a safe integer',
        input: 2 ** 63,
      },
    ],
    [
      '-2^63 for an integer',
      'employee_id',
      '-9223372036854775808',
      {
        type: 'int_out_of_range',
        msg: 'Input should be within the range of a safe integer',
        input: -(2 ** 63),
      },
    ],
    ['1e400 for an integer', 'employee_id', '1e400', { type: 'finite_number', msg: 'Input should be a finite number' }],
    ['1e400 for a number', 'days', '1e400', { type: 'finite_number', msg: 'Input should be a finite number' }],
    ['-1e400 for a number', 'days', '-1e400', { type: 'finite_number', msg: 'Input should be a finite number' }],
    [
      '1e-400 for a number',
      'days',
      '1e-400',
      { type: 'number_underflow', msg: 'Input should be 0 or at least 5e-324 away from it' },
    ],
    ['1e-400 for an integer', 'employee_id', '1e-400', { type: 'int_type', msg: 'Input should be a valid integer' }],
    ['a string for a number', 'days', '"2"', { type: 'float_type', msg: 'Input should be a valid number', input: '2' }],
    [
      'false for a number',
      'days',
      'false',
      { type: 'float_type', msg: 'Input should be a valid number', input: false },
    ],
    ['a number for a string', 'reason', '5', { type: 'string_type', msg: 'Input should be a valid string', input: 5 }],
    ['an object for a string', 'reason', '{"a":{}}', { type: 'string_type', msg: 'Input should be a valid string' }],
    [
      'null for a required string',
      'leave_type',
      'null',
      { type: 'string_type', msg: 'Input should be a valid string', input: null },
    ],
    [
      'an empty required string',
      'leave_type',
      '""',
      { type: 'string_too_short', msg: 'String should have at least 1 character', input: '', ctx: { min_length: 1 } },
    ],
    [
      'a blank status',
      'status',
      '" \\t\\u2003"',
      {
        type: 'string_too_short',
        msg: 'String should have at least 1 character',
        input: ' \t\u2003',
        ctx: { min_length: 1 },
      },
    ],
    [
      'a status of 201 characters',
      'status',
      `"${'x'.repeat(201)}"`,
      {
        type: 'string_too_long',
        msg: 'String should have at most 200 characters',
        input: 'x'.repeat(201),
        ctx: { max_length: 200 },
      },
    ],
    [
      'a text of 20,001 characters',
      'reason',
      `"${'x'.repeat(20_001)}"`,
      { type: 'string_too_long', msg: 'String should have at most 20000 characters', ctx: { max_length: 20_000 } },
    ],
    [
      'U+0000 in a string',
      'reason',
      '"a\\u0000b"',
      {
        type: 'string_unicode',
        msg: 'Input should be a valid string, unable to parse raw data as a unicode string',
        input: 'a\u0000b',
      },
    ],
    [
      'an unpaired high surrogate',
      'reason',
      '"a\\ud800b"',
      { type: 'string_unicode', msg: 'Input should be a valid string, unable to parse raw data as a unicode string' },
    ],
    [
      'an unpaired low surrogate',
      'reason',
      '"\\udc00"',
      { type: 'string_unicode', msg: 'Input should be a valid string, unable to parse raw data as a unicode string' },
    ],
    [
      'U+0000 in a date',
      'from_date',
      '"2026-01-01\\u0000"',
      {
        type: 'string_unicode',
        msg: 'Input should be a valid string, unable to parse raw data as a unicode string',
        input: '2026-01-01\u0000',
      },
    ],
    [
      'an empty date',
      'from_date',
      '""',
      {
        type: 'date_parsing',
        msg: 'Input should be a valid date: YYYY-MM-DD, or a date-time whose day is taken',
        input: '',
      },
    ],
    [
      'a reference to nobody',
      'employee_id',
      '123',
      { type: 'reference_not_found', msg: 'No employee has this id', input: 123, ctx: { resource: 'employee' } },
    ],
    [
      'a reference to 0',
      'employee_id',
      '0',
      { type: 'reference_not_found', msg: 'No employee has this id', input: 0, ctx: { resource: 'employee' } },
    ],
    [
      'a reference to -1',
      'employee_id',
      '-1',
      { type: 'reference_not_found', msg: 'No employee has this id', input: -1, ctx: { resource: 'employee' } },
    ],
    [
      'a property of the answer',
      'id',
      '1',
      { type: 'extra_forbidden', msg: 'Extra inputs are not permitted', input: 1 },
    ],
    [
      '__proto__',
      '__proto__',
      '{"leave_type":"annual"}',
      { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' },
    ],
    ['constructor', 'constructor', '1', { type: 'extra_forbidden', msg: 'Extra inputs are not permitted', input: 1 }],
  ]
  for (const [name, field, json, entry] of leaveFaults) {
    it(`with ${name} is refused`, async () => {
      const rest = field === 'leave_type' ? '' : '"leave_type":"annual",'
      const found = await errors('leave', `{${rest}"${field}":${json}}`)
      const { type, ...others } = entry as { type: string; msg: string; input?: unknown; ctx?: object }
      assert.deepEqual(found, [{ type, loc: ['body', field], ...others }])
    })
  }

  for (const date of [
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '0000-01-01',
    'now',
    'tomorrow',
    'infinity',
    '01/02/2023',
    '2026-01-01T24:00:00Z',
    '2026-01-01T10:60:00Z',
    '2026-01-01T10:00:60Z',
    '2026-01-01T10',
    '2026-01-01T10:00:00.',
    '2026-01-01T10:00:00+24:00',
    '2026-01-01T10:00:00+2',
    '2026-01-01 ',
    ' 2026-01-01',
    '20260101',
    '2026-W01-1',
    '2026-01-01T10:00:00.1234567890Z',
    '+002026-01-01',
    '10000-01-01',
    '2026-01-01Z',
  ]) {
    it(`with the date ${JSON.stringify(date)} is refused`, async () => {
      const [entry, ...others] = await errors('leave', { leave_type: 'annual', from_date: date })
      assert.deepEqual([entry.type, entry.loc, others], ['date_parsing', ['body', 'from_date'], []])
      const [instant] = await errors('job-distributions', {
        published_at: date,
        slug: 's',
        job_posting_id: 'x',
        career_site_id: 'x',
      }).then((all) => all.slice(-1))
      assert.deepEqual([instant.type, instant.loc], ['datetime_parsing', ['body', 'published_at']])
    })
  }

  it('with a last day before the first is refused', async () => {
    const body = { leave_type: 'annual', from_date: '2026-03-02', to_date: '2026-03-01' }
    assert.deepEqual(await errors('leave', body), [
      {
        type: 'date_order',
        loc: ['body', 'to_date'],
        msg: 'Input should not be before from_date',
        input: '2026-03-01',
        ctx: { not_before: 'from_date' },
      },
    ])
    assert.equal((await post(`${service.base}/v1/leave`, { ...body, to_date: '2026-03-02' })).status, 201)
  })

  it('that leaves out required fields is told of each', async () => {
    assert.deepEqual(await errors('applications', {}), [
      { type: 'missing', loc: ['body', 'candidate_id'], msg: 'Field required' },
      { type: 'missing', loc: ['body', 'job_id'], msg: 'Field required' },
    ])
  })

  it('with a slug that is taken is refused', async () => {
    const taken = [
      { type: 'already_exists', loc: ['body', 'slug'], msg: 'Another record has this value already', input: 'one' },
    ]
    assert.deepEqual(await errors('organizations', { name: 'Uno', slug: 'one' }), taken)
  })

  it('may use a slug again where it is unique only within its parent', async () => {
    for (const organization_id of [1, 2]) {
      const answer = await post(`${service.base}/v1/brands`, { organization_id, name: 'B', slug: 'shared' })
      assert.equal(answer.status, 201)
    }
    const again = await errors('brands', { organization_id: 2, name: 'B', slug: 'shared' })
    assert.equal(again[0].type, 'already_exists')
  })

  it('with a parent team of another organization is refused', async () => {
    const team = { organization_id: 2, name: 'Below', parent_id: 1 }
    const [entry] = await errors('organization-teams', team)
    assert.deepEqual([entry.type, entry.loc], ['reference_not_found', ['body', 'parent_id']])
    assert.equal((await post(`${service.base}/v1/organization-teams`, { ...team, organization_id: 1 })).status, 201)
  })

  for (const settings of ['', '{', '{"a":1}x', "{'a':1}", 'undefined', 'NaN']) {
    it(`with settings_json ${JSON.stringify(settings)} is refused`, async () => {
      const [entry] = await errors('organizations', { name: 'S', slug: 's', settings_json: settings })
      assert.deepEqual(
        [entry.type, entry.loc, entry.ctx],
        ['json_invalid', ['body', 'settings_json'], { error: 'not a JSON document' }],
      )
    })
  }

  it('keeps settings_json byte for byte', async () => {
    const settings = ' {"b": 1.0,\n "a":"\\u00e9", "a": 2} '
    const answer = await post(`${service.base}/v1/organizations`, { name: 'S', slug: 'kept', settings_json: settings })
    assert.equal(answer.json.settings_json, settings)
  })

  for (const url of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' java\nscript:alert(1)',
    '\u0001vbscript:x',
    'VBSCRIPT:',
  ]) {
    it(`with the address ${JSON.stringify(url)} is refused`, async () => {
      const [entry] = await errors('career-sites', { name: 'S', slug: 's', logo_url: url })
      assert.deepEqual([entry.type, entry.loc], ['url_scheme', ['body', 'logo_url']])
    })
  }

  it('may hold any other address', async () => {
    for (const [index, logo_url] of [
      '/logo.svg',
      'https://example.com/javascript:x',
      'data:,x',
      '',
      'logo',
    ].entries()) {
      const answer = await post(`${service.base}/v1/career-sites`, { name: 'S', slug: `url-${index}`, logo_url })
      assert.equal(answer.json.logo_url, logo_url)
    }
  })

  const whole: [name: string, body: string | Uint8Array, headers: Record<string, string>, entry: object][] = [
    ['is empty', '', {}, { type: 'body_missing', msg: 'A JSON body is required' }],
    ['is a list', '[]', {}, { type: 'model_type', msg: 'Input should be an object' }],
    ['is null', 'null', {}, { type: 'model_type', msg: 'Input should be an object' }],
    ['is a string', '"leave_type"', {}, { type: 'model_type', msg: 'Input should be an object' }],
    [
      'is of another type',
      '{}',
      { 'content-type': 'text/plain' },
      { type: 'content_type', msg: 'Content-Type should be application/json' },
    ],
    [
      'is of a type that is none',
      '{}',
      { 'content-type': 'json' },
      { type: 'content_type', msg: 'Content-Type should be application/json' },
    ],
    [
      'is a form',
      'leave_type=annual',
      { 'content-type': 'application/x-www-form-urlencoded' },
      { type: 'content_type', msg: 'Content-Type should be application/json' },
    ],
    [
      'starts with a byte order mark',
      '\uFEFF{"leave_type":"annual"}',
      {},
      { type: 'encoding', msg: 'Body should be UTF-8 text without a byte order mark and without a content encoding' },
    ],
    [
      'is not UTF-8',
      Buffer.from('{"leave_type":"\xe9"}', 'latin1'),
      {},
      { type: 'encoding', msg: 'Body should be UTF-8 text without a byte order mark and without a content encoding' },
    ],
    [
      'holds an encoded surrogate',
      Buffer.from('{"leave_type":"\xed\xa0\x80"}', 'latin1'),
      {},
      { type: 'encoding', msg: 'Body should be UTF-8 text without a byte order mark and without a content encoding' },
    ],
    [
      'says it is compressed',
      '{"leave_type":"annual"}',
      { 'content-encoding': 'gzip' },
      { type: 'encoding', msg: 'Body should be UTF-8 text without a byte order mark and without a content encoding' },
    ],
    [
      'says it is Latin-1',
      '{"leave_type":"annual"}',
      { 'content-type': 'application/json; charset=iso-8859-1' },
      { type: 'encoding', msg: 'Body should be UTF-8 text without a byte order mark and without a content encoding' },
    ],
  ]
  for (const [name, body, headers, entry] of whole) {
    it(`that ${name} is refused`, async () => {
      const { type, ...others } = entry as { type: string; msg: string }
      assert.deepEqual(await errors('leave', body, headers), [{ type, loc: ['body'], ...others }])
    })
  }

  for (const text of [
    '{',
    '{"leave_type":"annual",}',
    "{'a':1}",
    '{"a":01}',
    'undefined',
    '{"a":NaN}',
    '{}{}',
    '{"a":"\t"}',
    '\u0000',
    '{"leave_type":"a"}\u0000',
  ]) {
    it(`that is the malformed JSON ${JSON.stringify(text)} is refused`, async () => {
      const [entry, ...others] = await errors('leave', text)
      assert.deepEqual([entry.type, entry.loc, others], ['json_invalid', ['body'], []])
      assert.equal(entry.msg, `Input should be valid JSON: ${entry.ctx.error}`)
    })
  }

  for (const [text, key] of [
    ['{"leave_type":"a","leave_type":"b"}', 'leave_type'],
    ['{"leave_type":"a","leave\\u005ftype":"b"}', 'leave_type'],
    ['{"leave_type":"a","x":[{"y":1,"z":{"a":1,"a":2}}]}', 'x'],
    ['{"\\"":1,"\\"":2}', '"'],
  ] as const) {
    it(`that names ${JSON.stringify(key)} twice is refused`, async () => {
      assert.deepEqual(await errors('leave', text), [
        { type: 'duplicate_key', loc: ['body', key], msg: 'Property names should be unique within an object' },
      ])
    })
  }

  it('may name the same property in two objects', async () => {
    const found = await errors('leave', '{"leave_type":"a","x":[{"y":1},{"y":2}],"z":{"leave_type":1}}')
    assert.deepEqual(
      found.map(({ type }: { type: string }) => type),
      ['extra_forbidden', 'extra_forbidden'],
    )
  })

  it('nested 100,000 deep is refused like any other', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const found = await errors('leave', `{"leave_type":${deep},"x":${deep}}`)
    assert.deepEqual(
      found.map(({ type }: { type: string }) => type),
      ['string_type', 'extra_forbidden'],
    )
  })

  it('with the smallest numbers there are, and with both zeros, is stored as sent', async () => {
    for (const [days, stored] of [
      ['5e-324', 5e-324],
      ['-1e-320', -1e-320],
      ['0', 0],
      ['-0', 0],
      ['0e-400', 0],
    ] as const) {
      const answer = await post(`${service.base}/v1/leave`, `{"leave_type":"annual","days":${days}}`)
      assert.deepEqual([answer.status, answer.json.days], [201, stored], days)
    }
  })

  it('of more than 100 names and items is refused with one short entry, in any form', async () => {
    const refusal = [
      {
        type: 'too_many_items',
        loc: ['body'],
        msg: 'Body should hold at most 100 names and items',
        ctx: { max_items: 100 },
      },
    ]
    const unknown = Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`a${index}`, 1]))
    const items = Array.from({ length: 300_000 }, () => 1)
    for (const body of [unknown, { leave_type: 'annual', x: unknown }, { x: items }, [items]]) {
      const found = await errors('leave', body)
      // A difference of thousands of entries would take minutes to write out.
      assert.equal(found.length, 1)
      assert.deepEqual(found, refusal)
    }
    const most = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`a${index}`, 1]))
    assert.equal((await errors('leave', { leave_type: 'annual', ...most })).length, 99)
  })

  it('may say its type in any case and with parameters', async () => {
    for (const type of [
      'APPLICATION/JSON',
      'application/json; charset=UTF-8',
      'application/json;charset="utf-8"',
      'application/json; x=y',
    ]) {
      assert.equal(
        (await post(`${service.base}/v1/leave`, { leave_type: 'annual' }, { 'content-type': type })).status,
        201,
      )
    }
  })

  it('that is missing altogether is refused', async () => {
    const answer = await ask(`${service.base}/v1/leave`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(answer.json.error.details.errors[0].type, 'body_missing')
  })

  it('with 1.0 and 1e2 for integers is accepted', async () => {
    const answer = await post(`${service.base}/v1/career-sites`, '{"name":"n","slug":"float","is_active":1e2}')
    assert.equal(answer.json.is_active, 100)
    const team = await post(`${service.base}/v1/organization-teams`, '{"organization_id":1.0,"name":"n"}')
    assert.equal(team.json.organization_id, 1)
  })

  it('is stored as sent, code point for code point', async () => {
    const name = ' e\u0301 \u00e9 👩‍👩‍👧 \uFFFF\u202E\u{10FFFF} % _ \\ \' " \t\n '
    const answer = await post(`${service.base}/v1/organizations`, { name, slug: 'exact' })
    assert.equal(answer.json.name, name)
    assert.equal((await ask(`${service.base}/v1/organizations/${answer.json.id}`)).json.name, name)
  })

  it('that is refused leaves nothing behind', async () => {
    const total = async () => (await ask(`${service.base}/v1/organizations`)).json.meta.total
    const before = await total()
    await errors('organizations', { name: 'x', slug: 'left-behind', default_locale: 5 })
    await errors('organizations', { name: 'x', slug: 'one' })
    assert.equal(await total(), before)
  })
})
