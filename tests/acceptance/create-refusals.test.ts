// Covers how a create body that breaks the rules of its fields is refused, fault by fault.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creatable, type Field, type Resource, uniqueFieldOf, writableFieldsOf } from '../contract/contract.ts'
import { anchor, created, fullBody, mark, marked, markedBody, minimalBody, noise, withLiteral } from './bodies.ts'
import { post } from './http.ts'
import { entriesOf, expectFaults, type Fault } from './refusals.ts'

/** Sends a marked body with one field changed, expects these faults, and that nothing was stored. */
async function refusedWith(resource: Resource, field: string, literal: string, faults: Fault[]): Promise<void> {
  const word = mark()
  const answer = await post(`/v1/${resource}`, withLiteral(await markedBody(resource, word), field, literal))
  expectFaults(answer, faults)
  assert.equal(await marked(resource, word), 0, 'nothing is left behind')
}

const wrongTypes: Record<Field['type'], string[]> = {
  integer: ['"1"', '""', '"abc"', 'true', 'false', '[]', '[1]', '{}', '{"id":1}'],
  number: ['"1"', '"2.5"', '""', 'true', 'false', '[]', '[1]', '{}'],
  string: ['1', '0', '1.5', 'true', 'false', '[]', '["a"]', '{}', '{"a":"b"}'],
}
const typeFault = { integer: 'int_type', number: 'float_type', string: 'string_type' }

for (const resource of creatable) {
  const path = `/v1/${resource}`

  for (const { field, type } of writableFieldsOf(resource)) {
    test(`${resource}.${field} takes no other JSON type than ${type}`, async () => {
      const body = await minimalBody(resource)
      for (const literal of wrongTypes[type]) {
        const answer = await post(path, withLiteral(body, field, literal))
        expectFaults(answer, [{ type: typeFault[type], loc: ['body', field] }])
      }
    })
  }

  for (const { field } of writableFieldsOf(resource).filter(({ type }) => type === 'integer')) {
    test(`${resource}.${field} takes no fraction and nothing beyond a safe integer`, async () => {
      for (const literal of ['1.5', '-0.5', '1e-1']) {
        await refusedWith(resource, field, literal, [{ type: 'int_from_float', loc: ['body', field] }])
      }
      for (const literal of ['9007199254740992', '-9007199254740992', '9007199254740993', '9'.repeat(30), '1e300']) {
        await refusedWith(resource, field, literal, [{ type: 'int_out_of_range', loc: ['body', field] }])
      }
    })

    test(`${resource}.${field} beyond every number is refused`, async () => {
      for (const literal of ['1e400', '-1e400']) {
        const answer = await post(path, withLiteral(await minimalBody(resource), field, literal))
        assert.deepEqual(
          entriesOf(answer).map(({ loc }) => loc),
          [['body', field]],
        )
      }
    })
  }

  for (const { field } of writableFieldsOf(resource).filter(({ type }) => type === 'number')) {
    test(`${resource}.${field} must be a finite number`, async () => {
      for (const literal of ['1e400', '-1e400', '9'.repeat(400)]) {
        await refusedWith(resource, field, literal, [{ type: 'finite_number', loc: ['body', field] }])
      }
    })
  }

  for (const { field, kind, maxLength: longest } of writableFieldsOf(resource)) {
    if (longest === undefined) continue
    test(`${resource}.${field} takes no more than ${longest} characters`, async () => {
      const text = kind === 'json' ? JSON.stringify(noise(longest - 1)) : noise(longest + 1)
      const answer = await post(path, { ...(await minimalBody(resource)), [field]: text })
      const msg = `String should have at most ${longest} characters`
      expectFaults(answer, [{ type: 'string_too_long', loc: ['body', field], msg, ctx: { max_length: longest } }])
    })

    test(`${resource}.${field} takes neither U+0000 nor half a surrogate pair`, async () => {
      const bad = ['"a\\u0000b"', '"\\ud800"', '"\\udc00x"', '"\\udc00\\ud800"', '"\\ud83e \\udd8a"']
      // The escapes are part of the JSON text in the string here, so that it would parse if it were read.
      const literals = kind === 'json' ? bad.map((text) => `"\\"${text.slice(1, -1)}\\""`) : bad
      for (const literal of literals) {
        await refusedWith(resource, field, literal, [{ type: 'string_unicode', loc: ['body', field] }])
      }
    })
  }

  for (const { field } of writableFieldsOf(resource).filter(({ notBlank }) => notBlank)) {
    test(`${resource}.${field} may not be empty`, async () => {
      const answer = await post(path, { ...(await minimalBody(resource)), [field]: '' })
      const msg = 'String should have at least 1 character'
      expectFaults(answer, [{ type: 'string_too_short', loc: ['body', field], msg, ctx: { min_length: 1 } }])
    })

    test(`${resource}.${field} may not be blank`, async () => {
      for (const blank of [' ', '   ', '\t', '\n', ' \r\n\t ']) {
        const answer = await post(path, { ...(await minimalBody(resource)), [field]: blank })
        expectFaults(answer, [{ type: 'string_too_short', loc: ['body', field] }])
      }
    })
  }

  for (const { field } of writableFieldsOf(resource).filter(({ kind }) => kind === 'reference')) {
    test(`${resource}.${field} must lead to a record`, async () => {
      for (const literal of ['9007199254740991', '2147483648', '0', '-1']) {
        await refusedWith(resource, field, literal, [{ type: 'reference_not_found', loc: ['body', field] }])
      }
    })
  }

  for (const { field } of writableFieldsOf(resource).filter(({ kind }) => kind === 'url')) {
    test(`${resource}.${field} is no script`, async () => {
      const scripts = ['javascript:alert(1)', 'JavaScript:alert(1)', 'vbscript:msgbox(1)', 'VBSCRIPT:x', 'javascript:']
      // A browser drops these signs before it reads the scheme.
      const disguised = [' javascript:alert(1)', '\tjavascript:alert(1)', 'java\nscript:alert(1)', '\u0001javascript:x']
      for (const url of [...scripts, ...disguised]) {
        await refusedWith(resource, field, JSON.stringify(url), [{ type: 'url_scheme', loc: ['body', field] }])
      }
    })
  }

  test(`unknown properties in a create of ${resource} are refused, one fault each, after the declared fields`, async () => {
    const word = mark()
    const body = { extra: 1, ...(await markedBody(resource, word)), Name: 'x', other: null }
    const faults = entriesOf(await post(path, body))
    assert.deepEqual(
      new Set(faults.map(({ loc }) => JSON.stringify(loc))),
      new Set(['["body","extra"]', '["body","Name"]', '["body","other"]']),
    )
    for (const { type, msg } of faults)
      assert.deepEqual([type, msg], ['extra_forbidden', 'Extra inputs are not permitted'])
    assert.equal(await marked(resource, word), 0)
  })

  test(`every fault of a create of ${resource} is listed at once, in the order of the declared fields`, async () => {
    const writable = writableFieldsOf(resource)
    const wrong = writable.toReversed().map(({ field, type }) => [field, type === 'string' ? 1 : 'x'])
    const body = { extra: true, ...Object.fromEntries(wrong) }
    const faults: Fault[] = writable.map(({ field, type }) => ({ type: typeFault[type], loc: ['body', field] }))
    expectFaults(await post(path, body), [...faults, { type: 'extra_forbidden', loc: ['body', 'extra'] }])
  })

  test(`an empty object as a create of ${resource} lists every missing field in order`, async () => {
    const required = writableFieldsOf(resource).filter(({ create }) => create === 'required')
    expectFaults(
      await post(path, {}),
      required.map(({ field }) => ({ type: 'missing', loc: ['body', field] })),
    )
  })

  for (const key of [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '',
    ' ',
    '\u0000',
    'ключ',
  ]) {
    test(`${JSON.stringify(key)} as a property of ${resource} is refused like any unknown one`, async () => {
      for (const literal of ['{"id":1,"name":"x","slug":"y"}', 'null', '1']) {
        const faults: Fault[] = [{ type: 'extra_forbidden', loc: ['body', key] }]
        await refusedWith(resource, key, literal, faults)
      }
    })
  }

  test(`__proto__ gives a create of ${resource} none of its required fields`, async () => {
    const text = `{"__proto__":${JSON.stringify(await minimalBody(resource))}}`
    const required = writableFieldsOf(resource).filter(({ create }) => create === 'required')
    const missing: Fault[] = required.map(({ field }) => ({ type: 'missing', loc: ['body', field] }))
    expectFaults(await post(path, text), [...missing, { type: 'extra_forbidden', loc: ['body', '__proto__'] }])
  })
}

for (const { resource, field } of creatable.flatMap(writableFieldsOf).filter(({ kind }) => kind === 'json')) {
  test(`${field} of ${resource} must be JSON`, async () => {
    const texts = [
      '',
      ' ',
      '{',
      '{"a":1,}',
      "{'a':1}",
      'undefined',
      'NaN',
      '01',
      '"a',
      '[1] x',
      '{"a":1}{"b":2}',
      'True',
    ]
    for (const text of texts) {
      const faults: Fault[] = [{ type: 'json_invalid', loc: ['body', field] }]
      await refusedWith(resource, field, JSON.stringify(text), faults)
    }
  })
}

test('two references that lead nowhere are both listed, in the order of the declared fields', async () => {
  expectFaults(await post('/v1/applications', { job_id: 9007199254740991, candidate_id: 9007199254740990 }), [
    { type: 'reference_not_found', loc: ['body', 'candidate_id'] },
    { type: 'reference_not_found', loc: ['body', 'job_id'] },
  ])
})

test('faults of shape and faults that only the stored data show are listed together', async () => {
  const organization = await anchor('organizations')
  const { slug } = await created('organizations', await markedBody('organizations', mark()))
  expectFaults(await post('/v1/brands', { organization_id: 9007199254740991, name: 1, slug: mark() }), [
    { type: 'reference_not_found', loc: ['body', 'organization_id'] },
    { type: 'string_type', loc: ['body', 'name'] },
  ])
  expectFaults(await post('/v1/organizations', { name: '', slug, extra: organization }), [
    { type: 'string_too_short', loc: ['body', 'name'] },
    { type: 'already_exists', loc: ['body', 'slug'] },
    { type: 'extra_forbidden', loc: ['body', 'extra'] },
  ])
})

test('a parent team must belong to the same organization', async () => {
  const other = await created('organizations', await markedBody('organizations', mark()))
  const word = mark()
  const body = { organization_id: other.id, parent_id: await anchor('organization-teams'), name: word }
  expectFaults(await post('/v1/organization-teams', body), [
    { type: 'reference_not_found', loc: ['body', 'parent_id'] },
  ])
  assert.equal(await marked('organization-teams', word), 0)
})

for (const resource of creatable) {
  const unique = uniqueFieldOf(resource)
  if (unique === undefined) continue
  const { field, uniqueWithin = [] } = unique

  test(`the ${field} of ${resource} is taken once${uniqueWithin.map((name) => ` within its ${name}`).join('')}`, async () => {
    const full = await fullBody(resource)
    const keys = Object.fromEntries([...uniqueWithin, field].map((name) => [name, full[name]]))
    await created(resource, { ...(await minimalBody(resource)), ...keys })
    const word = mark()
    const texts = writableFieldsOf(resource).filter(({ kind, notBlank }) => kind === 'text' && notBlank)
    const others = Object.fromEntries(texts.map((each) => [each.field, word]))
    const again = await post(`/v1/${resource}`, { ...(await minimalBody(resource)), ...others, ...keys })
    expectFaults(again, [{ type: 'already_exists', loc: ['body', field] }])
    assert.equal(await marked(resource, word), 0)
  })
}

test('a locale left out, null or written as the default is the same locale', async () => {
  const body = await markedBody('job-distributions', mark())
  await created('job-distributions', body)
  for (const locale of [undefined, null, 'en']) {
    const answer = await post('/v1/job-distributions', { ...body, locale })
    expectFaults(answer, [{ type: 'already_exists', loc: ['body', 'slug'] }])
  }
})

test('a key written twice is refused, also when one of them is escaped', async () => {
  for (const key of ['name', 'n\\u0061me']) {
    const word = mark()
    const text = `{"name":"${word}","slug":"${word}","${key}":"${word}"}`
    expectFaults(await post('/v1/organizations', text), [{ type: 'duplicate_key', loc: ['body', 'name'] }])
    assert.equal(await marked('organizations', word), 0)
  }
})

test('an unknown key written twice is refused', async () => {
  const { name, slug } = await markedBody('organizations', mark())
  const text = `{"name":"${name}","slug":"${slug}","x":1,"x":1}`
  const types = entriesOf(await post('/v1/organizations', text)).map(({ type }) => type)
  assert.ok(types.includes('duplicate_key') || types.includes('extra_forbidden'))
})

test('a message never shows SQL, a path, a stack or a version', async () => {
  const body = await fullBody('brands')
  await created('brands', body)
  const answers = [
    await post('/v1/brands', body),
    await post('/v1/brands', { ...body, organization_id: 9007199254740991 }),
    await post('/v1/leave', { leave_type: "'; drop table leave_requests; --", employee_id: -1 }),
    await post('/v1/organizations', '{'),
  ]
  for (const answer of answers) {
    for (const { msg } of entriesOf(answer)) {
      assert.doesNotMatch(
        msg,
        /insert into|select |violates|constraint|pg_|node_modules|\.[jt]s\b|\/(usr|home|srv)\/|\d+\.\d+\.\d+/i,
      )
    }
  }
})
