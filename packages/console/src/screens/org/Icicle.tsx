import type { KeyboardEvent, PointerEvent } from 'react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useCanvasSize, useCanvasStyle } from './canvas-environment.ts'
import { blockLines, blockName, colorNames, drawPicture, pictureColumns } from './draw-picture.ts'
import styles from './Icicle.module.css'
import type { Block, Company, Manager } from './picture-layout.ts'
import { layoutBlocks, maxTeamSize, moveBetweenBlocks, rowBlocks, teamSizes } from './picture-layout.ts'

interface IcicleProps {
  readonly company: Company
  readonly enlarged: Manager | undefined
  readonly label: string
  readonly enlarge: (manager: Manager | undefined) => void
  readonly openTree: (manager: Manager) => void
}

/** Blocks lower than this many pixels are merged. */
const minHeight = 3

/**
 * The managers as blocks on a canvas. One button lies over the canvas at the place of a block: it carries the focus, and
 * arrow keys move it from block to block.
 */
export const Icicle = ({ company, enlarged, label, enlarge, openTree }: IcicleProps) => {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useCanvasSize(frame)
  const style = useCanvasStyle(frame, colorNames)
  const [hovered, setHovered] = useState<string>()
  const [focused, setFocused] = useState('0')
  const [hasFocus, setHasFocus] = useState(false)

  const height = size?.height ?? 0
  const fontSize = style?.fontSize ?? 12
  const blocks = useMemo(
    () => (height === 0 ? [] : layoutBlocks({ company, enlarged, height, minHeight })),
    [company, enlarged, height],
  )
  const maxSize = useMemo(() => maxTeamSize(company), [company])
  const rows = useMemo(
    () =>
      rowBlocks(blocks, fontSize * 1.2).flatMap((block) =>
        block.manager === undefined ? [] : [{ block, sizes: teamSizes(block.manager, maxSize) }],
      ),
    [blocks, fontSize, maxSize],
  )
  const columns = pictureColumns(size?.width ?? 0, fontSize)
  const focusedBlock = blocks.find(({ key }) => key === focused) ?? blocks[0]
  const activeBlock = blocks.find(({ key }) => key === hovered) ?? (hasFocus ? focusedBlock : undefined)

  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (element == null || context == null || size === undefined || style === undefined) return
    element.width = Math.round(size.width * size.pixelRatio)
    element.height = Math.round(size.height * size.pixelRatio)
    context.setTransform(size.pixelRatio, 0, 0, size.pixelRatio, 0, 0)
    const picture = {
      blocks,
      rows,
      columns: pictureColumns(size.width, style.fontSize),
      maxSize,
      active: activeBlock?.key,
    }
    drawPicture(context, size.width, size.height, { ...picture, ...style })
  }, [size, style, blocks, rows, maxSize, activeBlock])

  const blockAt = (event: PointerEvent): Block | undefined => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    const [x, y] = [event.clientX - left, event.clientY - top]
    const level = columns.levels.findIndex(([from, to]) => x >= from && x < to)
    return level === -1
      ? rows.find(({ block }) => y >= block.from && y < block.to)?.block
      : blocks.find((block) => block.level === level && y >= block.from && y < block.to)
  }

  const activate = (block: Block | undefined) => {
    if (block === undefined) return
    setHovered(undefined)
    if (block.level === 0) return enlarge(block.manager?.above)
    const manager = block.manager ?? block.merged?.above
    if (manager === undefined) return
    if (manager.managers.length === 0 || manager === enlarged) openTree(manager)
    else {
      setFocused('0')
      enlarge(manager)
    }
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || focusedBlock === undefined) return
    if (event.key === 'Escape') enlarge(enlarged?.above)
    else if (event.key === 'o' && focusedBlock.manager !== undefined) openTree(focusedBlock.manager)
    else {
      const next = moveBetweenBlocks(blocks, focusedBlock, event.key)
      if (next === undefined) return
      setHovered(undefined)
      setFocused(next.key)
    }
    event.preventDefault()
  }

  const [left, right] = columns.levels[focusedBlock?.level ?? 0] as readonly [number, number]
  return (
    <div className={styles.picture}>
      <ColumnHeads columns={columns} enlarged={enlarged} />
      <div ref={frame} className={styles.frame}>
        <canvas
          ref={canvas}
          className={styles.canvas}
          role="img"
          aria-label={label}
          onPointerMove={(event) => setHovered(blockAt(event)?.key)}
          onPointerLeave={() => setHovered(undefined)}
          onClick={(event) => activate(blockAt(event as unknown as PointerEvent))}
        />
        {focusedBlock === undefined ? undefined : (
          <button
            type="button"
            className={styles.focus}
            style={{
              insetInlineStart: left,
              inlineSize: right - left,
              insetBlockStart: focusedBlock.from,
              blockSize: focusedBlock.to - focusedBlock.from,
            }}
            aria-label={[blockName(focusedBlock), ...blockLines(focusedBlock)].join(', ')}
            aria-describedby="picture-keys"
            onFocus={() => setHasFocus(true)}
            onBlur={() => setHasFocus(false)}
            onKeyDown={onKeyDown}
            onClick={() => activate(focusedBlock)}
          />
        )}
        {activeBlock === undefined ? undefined : (
          <BlockLabel block={activeBlock} left={columns.levels[activeBlock.level]?.[0] ?? 0} height={height} />
        )}
      </div>
      <TeamAxis columns={columns} maxSize={maxSize} />
      <p className="visually-hidden" id="picture-keys">
        Arrow keys move between blocks, Enter enlarges, O opens the tree, Escape goes back.
      </p>
      <p className="visually-hidden" role="status">
        {hasFocus && focusedBlock !== undefined
          ? [blockName(focusedBlock), ...blockLines(focusedBlock)].join(', ')
          : ''}
      </p>
    </div>
  )
}

type Columns = ReturnType<typeof pictureColumns>

const ColumnHeads = ({ columns, enlarged }: { readonly columns: Columns; readonly enlarged: Manager | undefined }) => (
  <div className={styles.heads} aria-hidden>
    {[enlarged?.above === undefined ? 'Top' : 'Enlarged', 'Directly below', 'One level further down'].map(
      (text, level) => (
        <span key={text} style={{ inlineSize: (columns.levels[level]?.[1] ?? 0) - (columns.levels[level]?.[0] ?? 0) }}>
          {text}
        </span>
      ),
    )}
    <span className={styles.lastHead}>Teams by number of people, all levels</span>
  </div>
)

/** The sizes of teams below the picture. */
const TeamAxis = ({ columns, maxSize }: { readonly columns: Columns; readonly maxSize: number }) => {
  const [from, to] = columns.teams
  const step = (to - from) / (maxSize + 1)
  const stride = maxSize > 12 ? 4 : 2
  return (
    <div className={styles.axis} aria-hidden>
      {Array.from({ length: Math.floor(maxSize / stride) }, (_, index) => (index + 1) * stride).map((size) => (
        <span key={size} style={{ insetInlineStart: from + (size + 0.5) * step }}>
          {size === maxSize ? `${size}+` : size}
        </span>
      ))}
    </div>
  )
}

interface BlockLabelProps {
  readonly block: Block
  readonly left: number
  readonly height: number
}

/** Repeats what the block and the table say, so it is hidden from screen readers. */
const BlockLabel = ({ block, left, height }: BlockLabelProps) => {
  const isLow = block.to > height - 120
  const canEnlarge = (block.manager?.managers.length ?? 0) > 0
  return (
    <div
      className={styles.label}
      style={{
        insetInlineStart: left + 16,
        ...(block.level === 0
          ? { insetBlockStart: 96 }
          : isLow
            ? { insetBlockEnd: height - block.from + 6 }
            : { insetBlockStart: block.to + 6 }),
      }}
      aria-hidden
    >
      <b>
        <bdi>{blockName(block)}</bdi>
      </b>
      {blockLines(block).map((line) => (
        <span key={line}>
          <bdi>{line}</bdi>
        </span>
      ))}
      <span className={styles.hint}>
        {block.level === 0
          ? block.manager?.above === undefined
            ? ''
            : 'Click or Esc goes back'
          : canEnlarge || block.merged !== undefined
            ? 'Click or Enter enlarges, O opens the tree'
            : 'Click or Enter opens the tree'}
      </span>
    </div>
  )
}
