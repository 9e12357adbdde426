import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  firstPath,
  foldKey,
  makeColumn,
  memberKey,
  moveInColumns,
  rowKeys,
  togglePath,
} from '../src/screens/org/columns.ts'
import type { Member } from '../src/screens/org/members.ts'
import { findCycles, roleText } from '../src/screens/org/members.ts'
import { parseId, parseIds } from '../src/screens/org/parameters.ts'

const member = (id: number, total = 0, name = `Name ${id}`): Member => ({
  id,
  managerId: 1,
  depth: 1,
  direct: total,
  total,
  designation: null,
  department: null,
  first_name: null,
  last_name: name,
  links: {},
})
const members = (count: number) => Array.from({ length: count }, (_, index) => member(index + 2, 1_000 - index))
const common = {
  parent: undefined,
  openId: undefined,
  targetId: undefined,
  isUnfolded: false,
  isNarrow: false,
}
const ids = (list: readonly Member[]) => list.map(({ id }) => id)

describe('the chart at first', () => {
  const at = (id: number, depth: number, managerId: number | null, total: number): Member => ({
    ...member(id, total),
    depth,
    managerId,
  })

  it('has the reports of the person who leads most people', () => {
    assert.deepEqual(firstPath([at(1, 0, null, 5), at(2, 0, null, 90), at(3, 1, 2, 40), at(4, 1, 2, 9)]), [2])
    assert.deepEqual(firstPath([at(1, 0, null, 0)]), [])
    assert.deepEqual(firstPath([]), [])
  })

  it('also has those of an only report, above whom somebody may stand by mistake', () => {
    assert.deepEqual(firstPath([at(2, 0, null, 90), at(3, 1, 2, 89)]), [2, 3])
    assert.deepEqual(firstPath([at(2, 0, null, 1), at(3, 1, 2, 0)]), [2])
  })
})

describe('a column of the org chart', () => {
  it('shows twelve members without a fold, the largest first, then by name', () => {
    const column = makeColumn({ ...common, members: [member(5, 1, 'Zoe'), member(6, 1, 'Ada'), member(7, 9)] })
    assert.deepEqual(ids(column.shown), [7, 6, 5])
    assert.equal(column.isFoldable, false)
    assert.equal(column.largest, 9)
    assert.equal(makeColumn({ ...common, members: members(12) }).isFoldable, false)
  })

  it('folds the thirteenth, but never the open or the wanted person', () => {
    const column = makeColumn({ ...common, members: members(24), openId: 20, targetId: 22 })
    assert.deepEqual(ids(column.shown), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 20, 22])
    assert.equal(column.hidden.length, 10)
    assert.equal(column.isListOpen, false)
  })

  it('shows everybody once unfolded, or a list if there are too many for cards', () => {
    assert.equal(makeColumn({ ...common, members: members(24), isUnfolded: true }).hidden.length, 0)
    const large = makeColumn({ ...common, members: members(900), isUnfolded: true })
    assert.equal(large.shown.length, 12)
    assert.equal(large.hidden.length, 888)
    assert.equal(large.isListOpen, true)
  })

  it('shows only the open person on phones', () => {
    const column = makeColumn({ ...common, members: members(5), openId: 4, isNarrow: true })
    assert.deepEqual(ids(column.shown), [4])
    assert.equal(column.hidden.length, 4)
    assert.equal(makeColumn({ ...common, members: members(1), openId: 2, isNarrow: true }).isFoldable, false)
    assert.equal(makeColumn({ ...common, members: members(5), isNarrow: true }).shown.length, 5)
  })
})

describe('keys in the columns', () => {
  const columns = [['1'], ['2', '3', foldKey(1)], ['9']]
  const open = ['1', '3']
  const move = (key: string, direction: Parameters<typeof moveInColumns>[3]) =>
    moveInColumns(columns, open, key, direction)

  it('move up and down within a column, left to the manager and right to the reports', () => {
    assert.equal(move('2', 'down'), '3')
    assert.equal(move('3', 'down'), 'more-1')
    assert.equal(move('more-1', 'down'), null)
    assert.equal(move('2', 'up'), null)
    assert.equal(move('3', 'right'), '9')
    assert.equal(move('2', 'right'), null)
    assert.equal(move('9', 'left'), '3')
    assert.equal(move('1', 'left'), null)
    assert.equal(move('3', 'first'), '2')
    assert.equal(move('2', 'last'), 'more-1')
  })

  it('has a row for each shown member and one for the fold', () => {
    const column = makeColumn({ ...common, parent: member(1), members: members(13) })
    assert.equal(rowKeys(column).length, 13)
    assert.equal(rowKeys(column).at(-1), 'more-1')
    assert.equal(rowKeys(column)[0], memberKey(2))
  })
})

describe('the open people', () => {
  it('are one in each column', () => {
    assert.deepEqual(togglePath([1, 3], 1, 2), [1, 2])
    assert.deepEqual(togglePath([1, 3, 9], 1, 3), [1])
    assert.deepEqual(togglePath([1], 1, 5), [1, 5])
    assert.deepEqual(togglePath([], 0, 5), [5])
  })

  it('are read from the URL, ignoring what is not an id', () => {
    assert.deepEqual(parseIds('1,24,x,,7'), [1, 24, 7])
    assert.equal(parseId('none'), undefined)
    assert.equal(parseId(undefined), undefined)
  })
})

describe('people', () => {
  it('have a role that names the department once', () => {
    assert.equal(roleText({ designation: 'Head of Sales', department: 'Sales' }), 'Head of Sales')
    assert.equal(roleText({ designation: 'Engineer', department: 'Mobile' }), 'Engineer · Mobile')
    const manager = { designation: null, department: 'Mobile' }
    assert.equal(roleText({ designation: 'Engineer', department: 'Mobile' }, manager), 'Engineer')
    assert.equal(roleText({ designation: null, department: 'Mobile' }), 'Mobile')
    assert.equal(roleText({ designation: null, department: null }), '')
  })

  it('in cycles are grouped by cycle, beginning with the smallest id', () => {
    const cycles = findCycles([
      { id: 9, manager_id: 4 },
      { id: 4, manager_id: 7 },
      { id: 7, manager_id: 9 },
      { id: 2, manager_id: 3 },
      { id: 3, manager_id: 2 },
      { id: 5, manager_id: 5 },
    ])
    assert.deepEqual(
      cycles.map((cycle) => cycle.map(({ id }) => id)),
      [[2, 3], [4, 7, 9], [5]],
    )
  })
})
