import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'

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

  const errorsOf = async (path: string, body: unknown, headers?: Record<string, string>) => {
    const response = await post(`${service.baseUrl}/v1/${path}`, body, headers)
    assert.equal(response.status, 422, response.text)
    assert.deepEqual(Object.keys(response.json), ['error'])
    assert.equal(response.json.error.code, 'validation_error')
    assert.equal(response.json.error.details.request_id, response.headers.get('x-request-id'))
    return response.json.error.details.errors
  }

  const invalidFields: [name: string, field: string, json: string, entry: object][] = [
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
      'a string of 20,001 characters',
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
      'a reference to a missing record',
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
      'a field that only responses have',
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
  for (const [name, field, json, entry] of invalidFields) {
    it(`with ${name} is rejected`, async () => {
      const requiredField = field === 'leave_type' ? '' : '"leave_type":"annual",'
      const errors = await errorsOf('leave', `{${requiredField}"${field}":${json}}`)
      const { type, ...otherProperties } = entry as { type: string; msg: string; input?: unknown; ctx?: object }
      assert.deepEqual(errors, [{ type, loc: ['body', field], ...otherProperties }])
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
    it(`with the date ${JSON.stringify(date)} is rejected`, async () => {
      const [entry, ...otherErrors] = await errorsOf('leave', { leave_type: 'annual', from_date: date })
      assert.deepEqual([entry.type, entry.loc, otherErrors], ['date_parsing', ['body', 'from_date'], []])
      const [timestampError] = await errorsOf('job-distributions', {
        published_at: date,
        slug: 's',
        job_posting_id: 'x',
        career_site_id: 'x',
      }).then((entries) => entries.slice(-1))
      assert.deepEqual([timestampError.type, timestampError.loc], ['datetime_parsing', ['body', 'published_at']])
    })
  }

  it('with to_date before from_date is rejected', async () => {
    const body = { leave_type: 'annual', from_date: '2026-03-02', to_date: '2026-03-01' }
    assert.deepEqual(await errorsOf('leave', body), [
      {
        type: 'date_order',
        loc: ['body', 'to_date'],
        msg: 'Input should not be before from_date',
        input: '2026-03-01',
        ctx: { not_before: 'from_date' },
      },
    ])
    assert.equal((await post(`${service.baseUrl}/v1/leave`, { ...body, to_date: '2026-03-02' })).status, 201)
  })

  it('without its required fields gets an error for each of them', async () => {
    assert.deepEqual(await errorsOf('applications', {}), [
      { type: 'missing', loc: ['body', 'candidate_id'], msg: 'Field required' },
      { type: 'missing', loc: ['body', 'job_id'], msg: 'Field required' },
    ])
  })

  it('with a duplicate slug is rejected', async () => {
    const duplicateErrors = [
      { type: 'already_exists', loc: ['body', 'slug'], msg: 'Another record has this value already', input: 'one' },
    ]
    assert.deepEqual(await errorsOf('organizations', { name: 'Uno', slug: 'one' }), duplicateErrors)
  })

  it('may contain the slug of another record if slugs are unique only within the parent record', async () => {
    for (const organization_id of [1, 2]) {
      const response = await post(`${service.baseUrl}/v1/brands`, { organization_id, name: 'B', slug: 'shared' })
      assert.equal(response.status, 201)
    }
    const secondErrors = await errorsOf('brands', { organization_id: 2, name: 'B', slug: 'shared' })
    assert.equal(secondErrors[0].type, 'already_exists')
  })

  it('with a parent team of another organization is rejected', async () => {
    const team = { organization_id: 2, name: 'Below', parent_id: 1 }
    const [entry] = await errorsOf('organization-teams', team)
    assert.deepEqual([entry.type, entry.loc], ['reference_not_found', ['body', 'parent_id']])
    assert.equal((await post(`${service.baseUrl}/v1/organization-teams`, { ...team, organization_id: 1 })).status, 201)
  })

  for (const settings of ['', '{', '{"a":1}x', "{'a':1}", 'undefined', 'NaN']) {
    it(`with settings_json ${JSON.stringify(settings)} is rejected`, async () => {
      const [entry] = await errorsOf('organizations', { name: 'S', slug: 's', settings_json: settings })
      assert.deepEqual(
        [entry.type, entry.loc, entry.ctx],
        ['json_invalid', ['body', 'settings_json'], { error: 'not a JSON document' }],
      )
    })
  }

  it('has its settings_json stored byte for byte', async () => {
    const settings = ' {"b": 1.0,\n "a":"\\u00e9", "a": 2} '
    const response = await post(`${service.baseUrl}/v1/organizations`, {
      name: 'S',
      slug: 'kept',
      settings_json: settings,
    })
    assert.equal(response.json.settings_json, settings)
  })

  for (const url of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' java\nscript:alert(1)',
    '\u0001vbscript:x',
    'VBSCRIPT:',
  ]) {
    it(`with the URL ${JSON.stringify(url)} is rejected`, async () => {
      const [entry] = await errorsOf('career-sites', { name: 'S', slug: 's', logo_url: url })
      assert.deepEqual([entry.type, entry.loc], ['url_scheme', ['body', 'logo_url']])
    })
  }

  it('may contain any other URL', async () => {
    for (const [index, logo_url] of [
      '/logo.svg',
      'https://example.com/javascript:x',
      'data:,x',
      '',
      'logo',
    ].entries()) {
      const response = await post(`${service.baseUrl}/v1/career-sites`, { name: 'S', slug: `url-${index}`, logo_url })
      assert.equal(response.json.logo_url, logo_url)
    }
  })

  const invalidBodies: [name: string, body: string | Uint8Array, headers: Record<string, string>, entry: object][] = [
    ['is empty', '', {}, { type: 'body_missing', msg: 'A JSON body is required' }],
    ['is a list', '[]', {}, { type: 'model_type', msg: 'Input should be an object' }],
    ['is null', 'null', {}, { type: 'model_type', msg: 'Input should be an object' }],
    ['is a string', '"leave_type"', {}, { type: 'model_type', msg: 'Input should be an object' }],
    [
      'has another content type',
      '{}',
      { 'content-type': 'text/plain' },
      { type: 'content_type', msg: 'Content-Type should be application/json' },
    ],
    [
      'has an invalid content type',
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
      'contains an encoded surrogate',
      Buffer.from('{"leave_type":"\xed\xa0\x80"}', 'latin1'),
      {},
      { type: 'encoding', msg: 'Body should be UTF-8 text without a byte order mark and without a content encoding' },
    ],
    [
      'has a Content-Encoding',
      '{"leave_type":"annual"}',
      { 'content-encoding': 'gzip' },
      { type: 'encoding', msg: 'Body should be UTF-8 text without a byte order mark and without a content encoding' },
    ],
    [
      'declares the charset Latin-1',
      '{"leave_type":"annual"}',
      { 'content-type': 'application/json; charset=iso-8859-1' },
      { type: 'encoding', msg: 'Body should be UTF-8 text without a byte order mark and without a content encoding' },
    ],
  ]
  for (const [name, body, headers, entry] of invalidBodies) {
    it(`that ${name} is rejected`, async () => {
      const { type, ...otherProperties } = entry as { type: string; msg: string }
      assert.deepEqual(await errorsOf('leave', body, headers), [{ type, loc: ['body'], ...otherProperties }])
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
    it(`that is the malformed JSON ${JSON.stringify(text)} is rejected`, async () => {
      const [entry, ...otherErrors] = await errorsOf('leave', text)
      assert.deepEqual([entry.type, entry.loc, otherErrors], ['json_invalid', ['body'], []])
      assert.equal(entry.msg, `Input should be valid JSON: ${entry.ctx.error}`)
    })
  }

  for (const [text, key] of [
    ['{"leave_type":"a","leave_type":"b"}', 'leave_type'],
    ['{"leave_type":"a","leave\\u005ftype":"b"}', 'leave_type'],
    ['{"leave_type":"a","x":[{"y":1,"z":{"a":1,"a":2}}]}', 'x'],
    ['{"\\"":1,"\\"":2}', '"'],
  ] as const) {
    it(`that contains ${JSON.stringify(key)} twice is rejected`, async () => {
      assert.deepEqual(await errorsOf('leave', text), [
        { type: 'duplicate_key', loc: ['body', key], msg: 'Property names should be unique within an object' },
      ])
    })
  }

  it('may contain the same property name in two objects', async () => {
    const errors = await errorsOf('leave', '{"leave_type":"a","x":[{"y":1},{"y":2}],"z":{"leave_type":1}}')
    assert.deepEqual(
      errors.map(({ type }: { type: string }) => type),
      ['extra_forbidden', 'extra_forbidden'],
    )
  })

  it('nested 100,000 levels deep gets the same errors as a flat one', async () => {
    const deepArray = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const errors = await errorsOf('leave', `{"leave_type":${deepArray},"x":${deepArray}}`)
    assert.deepEqual(
      errors.map(({ type }: { type: string }) => type),
      ['string_type', 'extra_forbidden'],
    )
  })

  it('with subnormal numbers or with zero in any notation is stored with the same value', async () => {
    for (const [days, storedValue] of [
      ['5e-324', 5e-324],
      ['-1e-320', -1e-320],
      ['0', 0],
      ['-0', 0],
      ['0e-400', 0],
    ] as const) {
      const response = await post(`${service.baseUrl}/v1/leave`, `{"leave_type":"annual","days":${days}}`)
      assert.deepEqual([response.status, response.json.days], [201, storedValue], days)
    }
  })

  it('with more than 100 property names and list items in total is rejected with one short error', async () => {
    const tooManyItemsErrors = [
      {
        type: 'too_many_items',
        loc: ['body'],
        msg: 'Body should hold at most 100 names and items',
        ctx: { max_items: 100 },
      },
    ]
    const unknownNames = Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`a${index}`, 1]))
    const items = Array.from({ length: 300_000 }, () => 1)
    for (const body of [unknownNames, { leave_type: 'annual', x: unknownNames }, { x: items }, [items]]) {
      const errors = await errorsOf('leave', body)
      // Without this check, a failure of the next one could print a diff of thousands of entries, which takes minutes.
      assert.equal(errors.length, 1)
      assert.deepEqual(errors, tooManyItemsErrors)
    }
    const allowedNames = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`a${index}`, 1]))
    assert.equal((await errorsOf('leave', { leave_type: 'annual', ...allowedNames })).length, 99)
  })

  it('may have a Content-Type in upper or lower case and with parameters', async () => {
    for (const type of [
      'APPLICATION/JSON',
      'application/json; charset=UTF-8',
      'application/json;charset="utf-8"',
      'application/json; x=y',
    ]) {
      assert.equal(
        (await post(`${service.baseUrl}/v1/leave`, { leave_type: 'annual' }, { 'content-type': type })).status,
        201,
      )
    }
  })

  it('is required', async () => {
    const response = await sendRequest(`${service.baseUrl}/v1/leave`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(response.json.error.details.errors[0].type, 'body_missing')
  })

  it('may contain integers written as 1.0 or 1e2', async () => {
    const response = await post(`${service.baseUrl}/v1/career-sites`, '{"name":"n","slug":"float","is_active":1e2}')
    assert.equal(response.json.is_active, 100)
    const team = await post(`${service.baseUrl}/v1/organization-teams`, '{"organization_id":1.0,"name":"n"}')
    assert.equal(team.json.organization_id, 1)
  })

  it('is stored as sent, code point for code point', async () => {
    const name = ' e\u0301 \u00e9 👩‍👩‍👧 \uFFFF\u202E\u{10FFFF} % _ \\ \' " \t\n '
    const response = await post(`${service.baseUrl}/v1/organizations`, { name, slug: 'exact' })
    assert.equal(response.json.name, name)
    assert.equal((await sendRequest(`${service.baseUrl}/v1/organizations/${response.json.id}`)).json.name, name)
  })

  it('is not stored, not even in part, if it is rejected', async () => {
    const countOrganizations = async () => (await sendRequest(`${service.baseUrl}/v1/organizations`)).json.meta.total
    const countBefore = await countOrganizations()
    await errorsOf('organizations', { name: 'x', slug: 'left-behind', default_locale: 5 })
    await errorsOf('organizations', { name: 'x', slug: 'one' })
    assert.equal(await countOrganizations(), countBefore)
  })
})
