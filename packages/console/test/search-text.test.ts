import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CandidateResult, EmployeeResult, SearchResult } from '@muster/client'
import { resources } from '@muster/model'
import { mainScreens } from '../src/frame/screens.ts'
import { findDestinations, searchable } from '../src/frame/search/destinations.ts'
import { findFilteredScreens } from '../src/frame/search/filtered-screens.ts'
import { containsAll, isMatching, matchingParts, searchTerms } from '../src/frame/search/matching-text.ts'
import { isHiddenMatch, namesakesText, resultPath, shownResults } from '../src/frame/search/record-results.ts'

/** The parts as one text, with the matches in brackets. */
const marked = (text: string, query: string): string =>
  matchingParts(text, searchTerms(query))
    .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join('')

test('each term of a search is marked wherever it occurs', () => {
  assert.equal(marked('Senior Product Designer', 'product des'), 'Senior [Product] [Des]igner')
  assert.equal(marked('Anna Hannah', 'ann'), '[Ann]a H[ann]ah')
  assert.equal(marked('Backend Engineer', 'zzz'), 'Backend Engineer')
  assert.equal(marked('Backend', ''), 'Backend')
  assert.equal(marked('', 'abc'), '')
})

test('overlapping terms are one match', () => {
  assert.equal(marked('aaa', 'aa'), '[aaa]')
  assert.equal(marked('Designer', 'desi sign'), '[Design]er')
})

test('case and accents are ignored, and the marked text keeps them', () => {
  assert.equal(marked('José García', 'jose GARCIA'), '[José] [García]')
  assert.equal(marked('Łukasz', 'lukasz'), '[Łukasz]')
  assert.equal(marked('Hauptstraße 5', 'strasse'), 'Haupt[straße] 5')
  assert.equal(marked('Gia Huy Đinh', 'dinh'), 'Gia Huy [Đinh]')
  assert.equal(marked('Müjgan', 'mujg'), '[Müjg]an')
})

test('an accent that is a character of its own stays with its letter', () => {
  assert.equal(marked('Jose\u0301 Ruiz', 'jose'), '[Jose\u0301] Ruiz')
})

test('characters outside the basic plane keep their place', () => {
  assert.equal(marked('😀 Ada 😀', 'ada'), '😀 [Ada] 😀')
  assert.equal(marked('渡辺 大輔', '大'), '渡辺 [大]輔')
  assert.equal(marked('\u{1d400}da', 'ada'), '[\u{1d400}da]')
})

test('a record must contain every term, a mark needs one', () => {
  assert.equal(containsAll('Ada Lovelace', searchTerms('love ada')), true)
  assert.equal(containsAll('Ada Lovelace', searchTerms('ada byron')), false)
  assert.equal(isMatching('Ada Lovelace', searchTerms('ada byron')), true)
})

test('without a text, all screens are offered', () => {
  assert.deepEqual(
    findDestinations('', resources).map(({ path }) => path),
    mainScreens.map(({ path }) => path),
  )
})

test('screens and resources are found by their names', () => {
  assert.deepEqual(
    findDestinations('fun', resources).map(({ path }) => path),
    ['/hiring/funnel'],
  )
  assert.ok(findDestinations('brands', resources).some(({ path }) => path === '/data/brands'))
})

test('a screen is found with its filters by the words of the screen, the department and the period', () => {
  const departments = new Map([
    ['1', 'Sales'],
    ['2', 'Field sales'],
    ['3', 'Finance'],
  ])
  const find = (text: string) =>
    findFilteredScreens(text, departments, '2026-10-30').map(({ path, label }) => [path, label])
  assert.deepEqual(find('sources finance last quarter'), [
    ['/hiring/sources?job.dept_id=3&applied_from=2026-07-01&applied_to=2026-09-30', 'Sources: Finance, Last quarter'],
  ])
  assert.deepEqual(find('FINANCE leave next'), [['/leave?dept_id=3&month=2026-11', 'Leave: Finance, Next month']])
  assert.deepEqual(find('people sales'), [
    ['/people?dept_id=1', 'People: Sales'],
    ['/people?dept_id=2', 'People: Field sales'],
  ])
  const funnels = find('funnel sales').map(([path]) => path)
  assert.equal(funnels.length, 5)
  // On this day, the last quarter and the last 3 full months are the same.
  assert.equal(new Set(funnels).size, 5)
  for (const text of ['sales', 'sales manager', 'finance last quarter', '']) assert.deepEqual(find(text), [])
})

test('a resource that is declared later is found without a change of the console', () => {
  const [first] = resources
  assert.ok(first)
  const later = { ...first, path: 'visas', titles: 'work visas' }
  assert.deepEqual(
    findDestinations('visa', [...resources, later]).map(({ path, label }) => [path, label]),
    [['/data/visas', 'Work visas']],
  )
  assert.ok(searchable([...resources, later]).some(({ path }) => path === 'visas'))
})

test('resources are offered for a search if they have texts besides a status', () => {
  const paths = searchable(resources).map(({ path }) => path)
  assert.ok(paths.includes('departments'))
  assert.ok(paths.includes('employees'))
  assert.ok(!paths.includes('attendance'))
})

const today = '2026-11-13'
const person: EmployeeResult = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  resource: 'employees',
  id: 7,
  match: 'exact',
  code: 'E-0007',
  designation: 'Engineer',
  branch: 'Lyon',
  status: 'active',
  date_of_joining: '2020-01-01',
  termination_date: null,
  department: { id: 1, name: 'Research' },
  manager: { id: 2, first_name: 'Grace', last_name: 'Hopper' },
}
const candidate: CandidateResult = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  resource: 'candidates',
  id: 8,
  match: 'exact',
  current_title: 'Analyst',
  location: 'Lyon',
  source: 'career_site',
  status: 'active',
  application: {
    id: 1,
    stage: 'phone_screen',
    status: 'active',
    applied_on: '2026-10-20',
    stage_entered_on: '2026-11-09',
    job: { id: 3, code: 'REQ-3', title: 'Engineer' },
  },
  employee: null,
}

const lineOf = (result: SearchResult): string =>
  shownResults([result], today)
    .flatMap(({ name, facts, ends }) => [name, ...facts.map(({ text }) => text), '|', ...ends])
    .join(' · ')

test('an employee has department, title, place and manager, or when they left or join, then since when and the number', () => {
  assert.equal(
    lineOf(person),
    'Ada Lovelace · Research · Engineer · Lyon · manager Grace Hopper · | · since 2020 · E-0007',
  )
  const left = { ...person, status: 'terminated', termination_date: '2025-06-30', branch: null }
  assert.equal(lineOf(left), 'Ada Lovelace · Research · Engineer · left 30 Jun 2025 · | · 2020 – 2025 · E-0007')
  assert.equal(
    lineOf({ ...left, termination_date: null }),
    'Ada Lovelace · Research · Engineer · Left · | · since 2020 · E-0007',
  )
  const joining = { ...person, status: 'pending', date_of_joining: '2026-12-01' }
  assert.match(lineOf(joining), /Lyon · Joining · \| · from 1 Dec · /)
  assert.match(lineOf({ ...joining, date_of_joining: '2027-01-04' }), / · from 4 Jan 2027 · /)
})

test('a candidate has the job and the stage of the latest application, or their title', () => {
  const start = 'Ada Lovelace · Engineer, REQ-3'
  const end = '| · applied 20 Oct · Career site'
  assert.equal(lineOf(candidate), `${start} · Phone screen for 4 days · Lyon · ${end}`)
  const hired = { ...candidate.application, status: 'hired' } as CandidateResult['application']
  assert.equal(
    lineOf({ ...candidate, application: hired, employee: { id: 5, code: 'K5' } }),
    `${start} · Hired · now employee K5 · Lyon · ${end}`,
  )
  assert.equal(lineOf({ ...candidate, application: null }), 'Ada Lovelace · Analyst · Lyon · Active · | · Career site')
})

test('results open the screens of people, candidates and openings', () => {
  assert.equal(resultPath(person), '/people/7')
  assert.equal(resultPath(candidate), '/hiring/candidates/8')
})

test('namesakes are announced, and only what differs between them is marked', () => {
  const results = shownResults(
    [person, { ...person, id: 9, branch: 'Porto' }, { ...person, id: 10, first_name: 'Alan' }],
    today,
  )
  assert.deepEqual(
    results.map(({ facts }) => facts.filter(({ isDifferent }) => isDifferent).map(({ text }) => text)),
    [['Lyon'], ['Porto'], []],
  )
  assert.equal(
    namesakesText(results, 'people', false),
    '2 people are called Ada Lovelace. What tells them apart is bold.',
  )
  assert.match(namesakesText(results, 'people', true) ?? '', /^2 or more people are called /)
  assert.equal(namesakesText(results.slice(1), 'people', true), undefined)
})

test('a result says that the match is in a field that is not shown', () => {
  const [result] = shownResults([person], today)
  assert.ok(result)
  assert.equal(isHiddenMatch(result, searchTerms('engin')), false)
  assert.equal(isHiddenMatch(result, searchTerms('e-0007')), false)
  assert.equal(isHiddenMatch(result, searchTerms('kafka')), true)
})
