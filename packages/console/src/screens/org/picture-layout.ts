/**
 * The picture of the whole company: blocks as tall as the number of people. It shows three levels that are large enough
 * to read: the enlarged manager, the managers below, and those below them. What is below that would be too thin to read,
 * so it is drawn as the sizes of the teams instead.
 */
import type { Member } from './members.ts'
import { bySize } from './members.ts'

export interface Manager {
  readonly member: Member
  /** Managers among the direct reports, largest first. */
  readonly managers: Manager[]
  readonly above: Manager | undefined
}

export interface Company {
  readonly tops: readonly Manager[]
  readonly byId: ReadonlyMap<number, Manager>
}

/** Arranges the rows of the report with `managers_only=true`, in which everybody comes after the manager. */
export const arrangeCompany = (members: readonly Member[]): Company => {
  const tops: Manager[] = []
  const byId = new Map<number, Manager>()
  for (const member of members) {
    const above = member.managerId === null ? undefined : byId.get(member.managerId)
    const manager: Manager = { member, managers: [], above }
    byId.set(member.id, manager)
    ;(above?.managers ?? tops).push(manager)
  }
  for (const { managers } of byId.values()) managers.sort((a, b) => bySize(a.member, b.member))
  tops.sort((a, b) => bySize(a.member, b.member))
  return { tops, byId }
}

/** The person and everybody below. */
export const partSize = ({ member }: Manager): number => member.total + 1

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Everybody who leads, in this part. */
export const managersIn = (manager: Manager): readonly Manager[] => {
  const found = [manager]
  for (let index = 0; index < found.length; index++) found.push(...(found[index] as Manager).managers)
  return found
}

export interface Block {
  readonly key: string
  readonly level: 0 | 1 | 2
  /** From 0 at the top. */
  readonly from: number
  readonly to: number
  /** Undefined in the first block, if several people are at the top, and in a block for several small parts. */
  readonly manager?: Manager
  /** For a block that stands for parts too small to draw. */
  readonly merged?: { readonly parts: number; readonly people: number; readonly above: Manager | undefined }
  /** Key of the block to the left. */
  readonly parent?: string
}

interface LayoutInput {
  readonly company: Company
  readonly enlarged: Manager | undefined
  readonly height: number
  /** Blocks that would be lower than this are merged. */
  readonly minHeight: number
}

export const layoutBlocks = ({ company, enlarged, height, minHeight }: LayoutInput): readonly Block[] => {
  const first = enlarged ?? (company.tops.length === 1 ? company.tops[0] : undefined)
  const people = first === undefined ? sum(company.tops.map(partSize)) : partSize(first)
  if (people === 0) return []
  const scale = height / people
  const blocks: Block[] = [{ key: '0', level: 0, from: 0, to: height, ...(first && { manager: first }) }]

  const addLevel = (
    managers: readonly Manager[],
    above: Manager | undefined,
    level: 1 | 2,
    parent: string,
    top: number,
  ) => {
    let from = top
    for (const [index, manager] of managers.entries()) {
      const size = partSize(manager) * scale
      if (size < minHeight) {
        const rest = managers.slice(index)
        const merged = { parts: rest.length, people: sum(rest.map(partSize)), above }
        blocks.push({ key: `${parent}+`, level, from, to: from + merged.people * scale, merged, parent })
        return
      }
      const key = String(manager.member.id)
      blocks.push({ key, level, from, to: from + size, manager, parent })
      if (level === 1) addLevel(manager.managers, manager, 2, key, from)
      from += size
    }
  }
  addLevel(first?.managers ?? company.tops, first, 1, '0', 0)
  return blocks
}

/** The blocks beside which the sizes of teams are drawn: those of the last level that has room for it. */
export const rowBlocks = (blocks: readonly Block[], minRow: number): readonly Block[] => {
  const isTall = ({ from, to, manager }: Block) => manager !== undefined && to - from >= minRow
  const last = blocks.filter(({ level }) => level === 2)
  return last.length > 0 && last.every(isTall)
    ? [...last, ...blocks.filter(({ level, key }) => level === 1 && !last.some(({ parent }) => parent === key))].filter(
        isTall,
      )
    : blocks.filter(({ level }) => level === 1).filter(isTall)
}

export interface TeamSizes {
  readonly teams: number
  /** Number of teams with this many people, by number of people; the last entry also counts larger teams. */
  readonly counts: readonly number[]
  readonly smallest: number
  readonly largest: number
}

/** How many people report directly to each manager of a part. */
export const teamSizes = (manager: Manager, maxSize: number): TeamSizes => {
  const sizes = managersIn(manager).map(({ member }) => member.direct)
  const counts = Array.from({ length: maxSize + 1 }, () => 0)
  for (const size of sizes) {
    const index = Math.min(size, maxSize)
    counts[index] = (counts[index] ?? 0) + 1
  }
  return { teams: sizes.length, counts, smallest: Math.min(...sizes), largest: Math.max(...sizes) }
}

/** The end of the scale of team sizes: nearly all teams fit, and a few huge ones do not squeeze the others. */
export const maxTeamSize = (company: Company): number => {
  const sizes = [...company.byId.values()].map(({ member }) => member.direct).sort((a, b) => a - b)
  return Math.min(24, Math.max(8, sizes[Math.floor(sizes.length * 0.98)] ?? 0))
}

/** The block that an arrow key leads to. */
export const moveBetweenBlocks = (blocks: readonly Block[], current: Block, key: string): Block | undefined => {
  const level = blocks.filter((block) => block.level === current.level)
  const index = level.findIndex((block) => block.key === current.key)
  switch (key) {
    case 'ArrowDown':
      return level[index + 1]
    case 'ArrowUp':
      return level[index - 1]
    case 'ArrowLeft':
      return blocks.find((block) => block.key === current.parent)
    case 'ArrowRight':
      return blocks.find((block) => block.parent === current.key)
    case 'Home':
      return level[0]
    case 'End':
      return level.at(-1)
    default:
      return undefined
  }
}
