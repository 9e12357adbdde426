import { personName } from '../../components/PersonName.tsx'
import { formatInteger } from '../../format/numbers.ts'
import { roleText } from './members.ts'
import type { Block } from './picture-layout.ts'

export const blockName = ({ manager, merged }: Block): string =>
  manager !== undefined
    ? (personName(manager.member) ?? `Employee ${manager.member.id}`).slice(0, 200)
    : merged === undefined
      ? 'Company'
      : `${formatInteger(merged.parts)} small ${merged.parts === 1 ? 'part' : 'parts'}`

/** What the label of a block says below the name. */
export const blockLines = ({ manager, merged }: Block): readonly string[] =>
  manager !== undefined
    ? [
        roleText(manager.member),
        `${formatInteger(manager.member.direct)} direct · ${formatInteger(manager.member.total)} in all`,
      ].filter((line) => line !== '')
    : merged === undefined
      ? []
      : [`${formatInteger(merged.people)} people, too few to draw one by one`]

interface BlockText {
  readonly first: string
  readonly second: string
  readonly total: number
}

/** What is written in a block. */
export const blockText = (block: Block): BlockText => {
  const { manager, merged, level } = block
  const name = blockName(block)
  const total = manager?.member.total ?? merged?.people ?? 0
  const department = manager?.member.department ?? ''
  // The last level has room for the name only.
  if (manager === undefined || level === 2) return { first: name, second: '', total }
  // Where a department begins, it says more than the title.
  const isHead = level === 1 && department !== '' && department !== manager.above?.member.department
  return isHead && manager.above !== undefined
    ? { first: department, second: name, total }
    : { first: name, second: manager.member.designation ?? '', total }
}
