import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Member } from '../src/screens/org/members.ts'
import type { Block } from '../src/screens/org/picture-layout.ts'
import {
  arrangeCompany,
  layoutBlocks,
  managersIn,
  maxTeamSize,
  moveBetweenBlocks,
  rowBlocks,
  teamSizes,
} from '../src/screens/org/picture-layout.ts'

const member = (id: number, managerId: number | null, direct: number, total: number): Member => ({
  id,
  managerId,
  depth: 0,
  direct,
  total,
  designation: null,
  department: null,
  first_name: null,
  last_name: String(id),
  links: {},
})

/** 99 people below 1: 60 below 2, 30 below 3, and 7 who lead nobody. 4 and 5 are below 2. */
const company = arrangeCompany([
  member(1, null, 9, 99),
  member(3, 1, 30, 30),
  member(2, 1, 2, 60),
  member(5, 2, 8, 8),
  member(4, 2, 50, 50),
])
const layout = (minHeight = 3) => layoutBlocks({ company, enlarged: undefined, height: 1_000, minHeight })
const positions = (blocks: readonly Block[]) => blocks.map(({ key, level, from, to }) => [key, level, from, to])

describe('the picture of the company', () => {
  it('has blocks as tall as their parts, the largest first', () => {
    assert.deepEqual(positions(layout()), [
      ['0', 0, 0, 1_000],
      ['2', 1, 0, 610],
      ['4', 2, 0, 510],
      ['5', 2, 510, 600],
      ['3', 1, 610, 920],
    ])
  })

  it('merges parts that are too small to draw', () => {
    const blocks = layout(320)
    assert.deepEqual(positions(blocks), [
      ['0', 0, 0, 1_000],
      ['2', 1, 0, 610],
      ['4', 2, 0, 510],
      ['2+', 2, 510, 600],
      ['0+', 1, 610, 920],
    ])
    assert.deepEqual(blocks.at(-1)?.merged, { parts: 1, people: 31, above: company.tops[0] })
  })

  it('has one block for the company if several people are at the top', () => {
    const several = arrangeCompany([member(1, null, 1, 1), member(2, null, 2, 2)])
    const blocks = layoutBlocks({ company: several, enlarged: undefined, height: 500, minHeight: 1 })
    assert.deepEqual(positions(blocks), [
      ['0', 0, 0, 500],
      ['2', 1, 0, 300],
      ['1', 1, 300, 500],
    ])
    assert.equal(blocks[0]?.manager, undefined)
  })

  it('enlarges a part', () => {
    const blocks = layoutBlocks({ company, enlarged: company.byId.get(2), height: 610, minHeight: 1 })
    assert.deepEqual(positions(blocks), [
      ['0', 0, 0, 610],
      ['4', 1, 0, 510],
      ['5', 1, 510, 600],
    ])
    assert.equal(blocks[0]?.manager?.member.id, 2)
  })

  it('is empty if nobody leads anybody', () => {
    assert.deepEqual(layoutBlocks({ company: arrangeCompany([]), enlarged: undefined, height: 9, minHeight: 1 }), [])
  })

  it('draws the sizes of teams beside the last level that has room', () => {
    const keys = (blocks: readonly Block[]) => blocks.map(({ key }) => key)
    assert.deepEqual(keys(rowBlocks(layout(), 50)), ['4', '5', '3'])
    assert.deepEqual(keys(rowBlocks(layout(), 100)), ['2', '3'])
  })
})

describe('teams', () => {
  it('are counted by the number of direct reports', () => {
    const manager = company.byId.get(2)
    assert.ok(manager)
    assert.deepEqual(
      managersIn(manager).map(({ member: { id } }) => id),
      [2, 4, 5],
    )
    const { teams, counts, smallest, largest } = teamSizes(manager, 10)
    assert.equal(teams, 3)
    assert.deepEqual(counts, [0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1])
    assert.deepEqual([smallest, largest], [2, 50])
  })

  it('have a scale that ends between 8 and 24', () => {
    assert.equal(maxTeamSize(company), 24)
    assert.equal(maxTeamSize(arrangeCompany([member(1, null, 2, 2)])), 8)
  })
})

describe('arrow keys in the picture', () => {
  it('move within a level and between levels', () => {
    const blocks = layout()
    const go = (from: string, key: string) => {
      const block = blocks.find((candidate) => candidate.key === from)
      assert.ok(block)
      return moveBetweenBlocks(blocks, block, key)?.key
    }
    assert.equal(go('0', 'ArrowRight'), '2')
    assert.equal(go('2', 'ArrowDown'), '3')
    assert.equal(go('2', 'ArrowRight'), '4')
    assert.equal(go('5', 'ArrowLeft'), '2')
    assert.equal(go('5', 'Home'), '4')
    assert.equal(go('2', 'End'), '3')
    assert.equal(go('3', 'ArrowRight'), undefined)
    assert.equal(go('3', 'x'), undefined)
  })
})
