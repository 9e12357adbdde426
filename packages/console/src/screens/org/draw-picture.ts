import { personName } from '../../components/PersonName.tsx'
import { formatInteger } from '../../format/numbers.ts'
import { roleText } from './members.ts'
import type { Block, TeamSizes } from './picture-layout.ts'

/** The names of the colours that the picture uses, as in `tokens.css`. */
export const colorNames = [
  '--paper',
  '--paper-3',
  '--ink',
  '--ink-2',
  '--ink-3',
  '--accent',
  '--on-accent',
  '--accent-soft',
  '--seq-1',
  '--seq-1-ink',
  '--seq-3',
  '--line-ui',
  '--chart-base',
  '--chart-grid',
] as const
export type Colors = Readonly<Record<(typeof colorNames)[number], string>>

export interface PictureColumns {
  /** Left and right end of each level. */
  readonly levels: readonly (readonly [number, number])[]
  /** Left and right end of the scale of team sizes, and of the text before it. */
  readonly teams: readonly [number, number]
  readonly teamsText: number
}

/** Divides the width among the three levels and the sizes of teams. */
export const pictureColumns = (width: number, fontSize: number): PictureColumns => {
  const first = Math.min(fontSize * 11.5, width * 0.16)
  const second = first + (width - first) * 0.38
  const third = second + (width - first) * 0.3
  const teamsText = third + fontSize
  return {
    levels: [
      [0, first],
      [first, second],
      [second, third],
    ],
    teamsText,
    teams: [teamsText + fontSize * 5, width - fontSize],
  }
}

export interface TeamRow {
  readonly block: Block
  readonly sizes: TeamSizes
}

interface Picture {
  readonly blocks: readonly Block[]
  readonly rows: readonly TeamRow[]
  readonly columns: PictureColumns
  readonly maxSize: number
  readonly colors: Colors
  readonly fontFamily: string
  readonly fontSize: number
  /** Key of the block under the pointer or with the focus. */
  readonly active: string | undefined
}

export const drawPicture = (
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  picture: Picture,
): void => {
  context.clearRect(0, 0, width, height)
  context.textBaseline = 'middle'
  context.direction = 'ltr'
  for (const block of picture.blocks) drawBlock(context, block, picture)
  drawTeams(context, height, picture)
}

const drawBlock = (context: CanvasRenderingContext2D, block: Block, picture: Picture): void => {
  const { columns, colors, fontFamily, fontSize, active } = picture
  const [left, right] = columns.levels[block.level] as readonly [number, number]
  const isActive = block.key === active
  const height = block.to - block.from
  const grounds = [colors['--accent-soft'], colors['--paper-3'], colors['--seq-1']] as const
  context.fillStyle = isActive
    ? colors['--accent']
    : block.merged === undefined
      ? grounds[block.level]
      : colors['--chart-base']
  // A line of paper separates blocks that are tall enough for it.
  const gap = height > 3 ? 1 : 0.5
  context.fillRect(left, block.from, right - left - 1, Math.max(0.5, height - gap))

  if (height < fontSize * 1.15) return
  const ink = isActive ? colors['--on-accent'] : colors['--ink']
  const softInk = isActive ? colors['--on-accent'] : colors['--ink-2']
  const font = (weight: number) => `${weight} ${fontSize}px ${fontFamily}`
  const x = left + fontSize * 0.6
  const space = right - left - fontSize * 1.4
  const { manager, merged } = block
  if (block.level === 0) {
    const lines: [string, number, string][] =
      manager === undefined
        ? [['Company', 620, ink]]
        : [
            [blockName(block), 620, ink],
            [manager.member.designation ?? '', 420, softInk],
            [`${formatInteger(manager.member.total)} in all`, 420, softInk],
          ]
    for (const [index, [text, weight, color]] of lines.entries()) {
      context.font = font(weight)
      context.fillStyle = color
      fillText(context, text, x, block.from + fontSize * (1.3 + index * 1.5), space)
    }
    return
  }
  const middle = block.from + (height - 1) / 2
  const total = formatInteger(manager === undefined ? (merged?.people ?? 0) : manager.member.total)
  context.font = font(420)
  context.fillStyle = softInk
  const totalWidth = context.measureText(total).width
  context.fillText(total, right - fontSize * 0.6 - totalWidth, middle)
  const nameSpace = space - totalWidth - fontSize
  const department = manager?.member.department ?? ''
  const isOtherDepartment = department !== '' && department !== manager?.above?.member.department
  // The second level has room for the department, which says more than the name, or for the title.
  const [first, second] =
    block.level === 2
      ? [blockName(block), '']
      : isOtherDepartment && manager?.above !== undefined
        ? [department, blockName(block)]
        : [blockName(block), manager?.member.designation ?? '']
  context.font = font(merged === undefined ? 520 : 420)
  context.fillStyle = merged === undefined ? ink : softInk
  const used = fillText(context, first, x, middle, nameSpace * (second === '' ? 1 : 0.6))
  if (second === '') return
  context.font = font(420)
  context.fillStyle = softInk
  fillText(context, `· ${isolate(second)}`, x + used + fontSize * 0.35, middle, nameSpace - used)
}

/** For each row, a small column chart: how many teams have how many people. All rows have the same scale of sizes. */
const drawTeams = (context: CanvasRenderingContext2D, height: number, picture: Picture): void => {
  const { rows, columns, maxSize, colors, fontFamily, fontSize, active } = picture
  const [left, right] = columns.teams
  const step = (right - left) / (maxSize + 1)
  context.fillStyle = colors['--chart-grid']
  for (let size = 2; size <= maxSize; size += 2) context.fillRect(left + (size + 0.5) * step - 0.5, 0, 1, height)
  for (const { block, sizes } of rows) {
    const rowHeight = block.to - block.from
    const isActive = block.key === active
    const bottom = block.to - 2
    const room = Math.min(rowHeight - 5, fontSize * 4)
    const most = Math.max(...sizes.counts)
    context.fillStyle = colors['--chart-base']
    context.fillRect(left, bottom, right - left, 0.5)
    context.fillStyle = isActive ? colors['--accent'] : colors['--seq-3']
    for (const [size, count] of sizes.counts.entries()) {
      const bar = (count / most) * room
      if (count > 0) context.fillRect(left + size * step + 1, bottom - bar, Math.max(1, step - 2), bar)
    }
    context.font = `420 ${fontSize * 0.92}px ${fontFamily}`
    context.fillStyle = colors['--ink-3']
    const text =
      sizes.teams === 1
        ? `${formatInteger(sizes.largest)} ${sizes.largest === 1 ? 'person' : 'people'}`
        : `${formatInteger(sizes.teams)} teams`
    context.fillText(text, columns.teamsText, bottom - Math.min(room, fontSize) / 2)
  }
}

/** Keeps a right-to-left name from reordering the text around it. */
const isolate = (text: string): string => `\u2068${text}\u2069`

export const blockName = ({ manager, merged }: Block): string =>
  manager !== undefined
    ? (personName(manager.member) ?? `Employee ${manager.member.id}`).slice(0, 200)
    : merged === undefined
      ? 'Company'
      : `${formatInteger(merged.parts)} small ${merged.parts === 1 ? 'part' : 'parts'}`

/** What the label of a block says, in lines. */
export const blockLines = ({ manager, merged }: Block): readonly string[] =>
  manager !== undefined
    ? [
        roleText(manager.member),
        `${formatInteger(manager.member.direct)} direct · ${formatInteger(manager.member.total)} in all`,
      ].filter((line) => line !== '')
    : merged === undefined
      ? []
      : [`${formatInteger(merged.people)} people, too few to draw one by one`]

/** Draws as much of a text as fits, and returns its width. */
const fillText = (context: CanvasRenderingContext2D, text: string, x: number, y: number, space: number): number => {
  const cut = cutText(context, text, space)
  context.fillText(cut, x, y)
  return context.measureText(cut).width
}

const cutText = (context: CanvasRenderingContext2D, text: string, space: number): string => {
  if (context.measureText(text).width <= space) return text
  let [fits, tooLong] = [0, text.length]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (context.measureText(`${text.slice(0, middle)}…`).width <= space) fits = middle
    else tooLong = middle
  }
  return fits === 0 ? '' : `${text.slice(0, fits)}…`
}
