import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfLastMonth, isOutdated } from '../src/frame/data-age.ts'
import { createKeyReader, keyGroups, screenPrefix } from '../src/frame/keys.ts'
import { readingModeOf } from '../src/frame/reading-mode.ts'
import {
  isDated,
  mainScreens,
  moreScreens,
  navigationPlaceOf,
  screenAt,
  screens,
  tabScreens,
  tabsOf,
} from '../src/frame/screens.ts'
import { idleMs, readStoredToken, removeStoredToken, storeActivity, storeToken } from '../src/service/stored-token.ts'

const press = (key: string, timeStamp = 0, modifiers: object = {}) => ({
  key,
  timeStamp,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...modifiers,
})

test('single keys are commands', () => {
  const read = createKeyReader()
  assert.deepEqual(read(press('/'), true), { kind: 'search' })
  assert.deepEqual(read(press('?'), true), { kind: 'keys' })
  assert.deepEqual(read(press('f'), true), { kind: 'field' })
  assert.equal(read(press('x'), true), undefined)
  assert.equal(read(press('constructor'), true), undefined)
})

test('g and the letter of a screen open it', () => {
  for (const { key, path: to } of mainScreens) {
    const read = createKeyReader()
    assert.deepEqual(read(press('g', 1_000), true), { kind: 'prefix' })
    assert.deepEqual(read(press(key, 1_200), true), { kind: 'screen', to })
  }
})

test('the second key must follow soon, and at once', () => {
  const read = createKeyReader()
  read(press('g', 1_000), true)
  assert.equal(read(press('t', 2_501), true), undefined)
  read(press('g', 5_000), true)
  assert.equal(read(press('x', 5_100), true), undefined)
  assert.equal(read(press('t', 5_200), true), undefined)
})

test('while somebody types, only Escape, and Ctrl or Cmd with K, are commands', () => {
  const read = createKeyReader()
  assert.equal(read(press('/'), false), undefined)
  assert.equal(read(press('f'), false), undefined)
  assert.equal(read(press('g', 0), false), undefined)
  assert.equal(read(press('t', 10), false), undefined)
  assert.deepEqual(read(press('k', 0, { ctrlKey: true }), false), { kind: 'search' })
  assert.deepEqual(read(press('K', 0, { metaKey: true }), false), { kind: 'search' })
})

test('Escape closes, also if single keys are turned off; j and k move in lists, b leads back from them', () => {
  const read = createKeyReader()
  assert.deepEqual(read(press('Escape'), false), { kind: 'close' })
  assert.deepEqual(read(press('j'), true), { kind: 'next' })
  assert.deepEqual(read(press('k'), true), { kind: 'previous' })
  assert.deepEqual(read(press('b'), true), { kind: 'back' })
  assert.equal(read(press('j'), false), undefined)
})

test('no two keys are the same', () => {
  const keys = keyGroups.flatMap(({ entries }) => entries.flatMap(({ single }) => single ?? []))
  assert.equal(new Set([...keys, screenPrefix]).size, keys.length + 1)
})

test('keys with other modifiers belong to the browser', () => {
  const read = createKeyReader()
  assert.equal(read(press('/', 0, { ctrlKey: true }), true), undefined)
  assert.equal(read(press('k', 0, { ctrlKey: true, altKey: true }), true), undefined)
  assert.equal(read(press('g', 0, { altKey: true }), true), undefined)
})

test('each screen has a letter of its own, and a place on phones', () => {
  assert.equal(new Set(mainScreens.map(({ key }) => key)).size, mainScreens.length)
  assert.deepEqual([...tabScreens, ...moreScreens], mainScreens)
})

test('data is outdated if it ends more than seven days before the shown day', () => {
  assert.equal(isOutdated('2026-10-30', '2026-11-06'), false)
  assert.equal(isOutdated('2026-10-30', '2026-11-07'), true)
  assert.equal(isOutdated('2026-10-30', '2026-09-01'), false)
})

test('the end of the last month', () => {
  assert.equal(endOfLastMonth('2026-11-16'), '2026-10-31')
  assert.equal(endOfLastMonth('2026-01-01'), '2025-12-31')
  assert.equal(endOfLastMonth('2028-03-31'), '2028-02-29')
})

test('the reading mode of a reader', () => {
  assert.equal(readingModeOf(undefined, 'token'), 'unknown')
  assert.equal(readingModeOf('public', undefined), 'public')
  assert.equal(readingModeOf('public', 'token'), 'public')
  assert.equal(readingModeOf('redacted', undefined), 'redacted')
  assert.equal(readingModeOf('redacted', 'token'), 'with-token')
  assert.equal(readingModeOf('token', undefined), 'token-needed')
  assert.equal(readingModeOf('token', 'token'), 'with-token')
})

test('a stored token is forgotten once nobody has been active for the idle time', () => {
  const storage = sessionStorage
  storeToken(storage, 'secret', 0)
  assert.equal(readStoredToken(storage, idleMs - 1), 'secret')
  storeActivity(storage, 1_000)
  assert.equal(readStoredToken(storage, idleMs), 'secret')
  assert.equal(readStoredToken(storage, idleMs + 1_000), undefined)
  assert.equal(storage.length, 0)
})

test('activity is stored only beside a stored token', () => {
  const storage = sessionStorage
  storeActivity(storage, 1_000)
  assert.equal(storage.length, 0)
  storeToken(storage, 'secret', 0)
  removeStoredToken(storage)
  assert.equal(storage.length, 0)
})

test('a token without the time of the last activity is forgotten', () => {
  sessionStorage.setItem('muster.token', 'secret')
  assert.equal(readStoredToken(sessionStorage, Date.now()), undefined)
  assert.equal(sessionStorage.length, 0)
})

test('only screens whose figures are computed from dates or from the history have a day', () => {
  assert.deepEqual(screens.map(({ path }) => path).filter(isDated), [
    '/org',
    '/org/managers',
    '/hiring/funnel',
    '/hiring/time-to-hire',
    '/hiring/sources',
    '/leave',
    '/attendance',
    '/headcount',
    '/headcount/movements',
  ])
  assert.equal(isDated('/people/$id'), false)
  assert.equal(isDated(undefined), false)
})

test('the tabs of a screen are itself and the screens below it that need no id', () => {
  assert.deepEqual(
    tabsOf('/hiring').map(({ path, tab, label }) => [path, tab ?? label]),
    [
      ['/hiring', 'Openings'],
      ['/hiring/candidates', 'Candidates'],
      ['/hiring/funnel', 'Funnel'],
      ['/hiring/time-to-hire', 'Time to hire'],
      ['/hiring/sources', 'Sources'],
      ['/hiring/career-sites', 'Career sites'],
    ],
  )
  assert.deepEqual(tabsOf('/people'), [])
})

test('a screen without a place in the navigation is marked at that of the nearest screen above', () => {
  for (const [path, main, tab] of [
    ['/people', '/people', undefined],
    ['/people/$id', '/people', undefined],
    ['/org/managers', '/org', undefined],
    ['/hiring', '/hiring', '/hiring'],
    ['/hiring/funnel', '/hiring', '/hiring/funnel'],
    ['/hiring/openings/$id', '/hiring', '/hiring'],
    ['/hiring/career-sites/$id', '/hiring', '/hiring/career-sites'],
    ['/data/$resource', '/data', undefined],
  ] as const) {
    const screen = screenAt(path)
    assert.ok(screen)
    assert.deepEqual(navigationPlaceOf(screen), { main, tab })
  }
})

test('each screen has a path and a file of its own, and the screen above it exists', () => {
  assert.equal(new Set(screens.map(({ path }) => path)).size, screens.length)
  assert.equal(new Set(screens.map(({ file }) => file)).size, screens.length)
  const paths = new Set<string>(screens.map(({ path }) => path))
  for (const screen of screens) if ('parent' in screen) assert.ok(paths.has(screen.parent), screen.path)
})
