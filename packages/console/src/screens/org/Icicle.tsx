import type { KeyboardEvent, MouseEvent, SyntheticEvent } from 'react'
import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { formatInteger } from '../../format/numbers.ts'
import { useMeasure } from '../../kit/use-width.ts'
import { blockLines, blockName, blockText } from './block-text.ts'
import styles from './Icicle.module.css'
import type { Block, Company, Manager, TeamSizes } from './picture-layout.ts'
import { layoutBlocks, maxTeamSize, moveBetweenBlocks, rowBlocks, teamSizes } from './picture-layout.ts'

interface Focus {
  readonly key: string
  readonly hasFocus: boolean
  /** Whether the focus is shown, as it is for keys, and not for clicks. */
  readonly isVisible: boolean
}

interface IcicleProps {
  readonly company: Company
  readonly enlarged: Manager | undefined
  readonly label: string
  readonly enlarge: (manager: Manager | undefined) => void
  readonly openTree: (manager: Manager) => void
}

/** All lengths are multiples of the font size. Blocks lower than this are merged: 3 pixels of a text of 12. */
const minHeight = 0.25
const minTextHeight = 1.15

const heightInEm = (element: Element): number =>
  element.clientHeight / Number.parseFloat(getComputedStyle(element).fontSize)

const keyOf = ({ target }: SyntheticEvent): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-key]')?.dataset.key : undefined

const focusBlock = (frame: HTMLElement, key: string): void =>
  frame.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus()

/** The managers as blocks. The picture is one stop of the Tab key; arrow keys move the focus from block to block. */
export const Icicle = ({ company, enlarged, label, enlarge, openTree }: IcicleProps) => {
  const [frame, height] = useMeasure<HTMLDivElement>(heightInEm)
  const [hovered, setHovered] = useState<string>()
  const [focused, setFocused] = useState<Focus>()
  const picture = useRef<HTMLDivElement>(null)

  const blocks = useMemo(
    () => (height === 0 ? [] : layoutBlocks({ company, enlarged, height, minHeight })),
    [company, enlarged, height],
  )
  const maxSize = useMemo(() => maxTeamSize(company), [company])
  const find = (key: string | undefined): Block | undefined => blocks.find((block) => block.key === key)
  const active = find(hovered) ?? (focused?.isVisible === true ? find(focused.key) : undefined)

  const show = (element: HTMLElement, manager: Manager | undefined) => {
    setHovered(undefined)
    // The other blocks are replaced, and one of them may have the focus.
    focusBlock(element, '0')
    enlarge(manager)
  }

  // Going back, new data or another size can remove the block that has the focus: the first block then gets it.
  const isFocusLost = focused?.hasFocus === true && find(focused.key) === undefined
  useLayoutEffect(() => {
    if (isFocusLost && picture.current !== null) focusBlock(picture.current, '0')
  }, [isFocusLost])

  const onClick = (event: MouseEvent<HTMLElement>) => {
    const block = find(keyOf(event))
    const manager = block?.manager ?? block?.merged?.above
    if (block?.level === 0) show(event.currentTarget, manager?.above)
    else if (manager === undefined) return
    else if (manager.managers.length === 0 || manager === enlarged) openTree(manager)
    else show(event.currentTarget, manager)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const block = find(keyOf(event))
    if (event.ctrlKey || event.metaKey || event.altKey || block === undefined) return
    if (event.key === 'Escape') show(event.currentTarget, enlarged?.above)
    else if (event.key === 'o' && block.manager !== undefined) openTree(block.manager)
    else {
      const next = moveBetweenBlocks(blocks, block, event.key)
      if (next === undefined) return
      setHovered(undefined)
      focusBlock(event.currentTarget, next.key)
    }
    event.preventDefault()
  }

  return (
    <div ref={picture} className={styles.picture}>
      <div className={styles.heads} aria-hidden>
        <span>{enlarged?.above === undefined ? 'Top' : 'Enlarged'}</span>
        <span>Directly below</span>
        <span>One level further down</span>
        <span>Teams by number of people, all levels</span>
      </div>
      <div
        ref={frame}
        className={styles.frame}
        role="tree"
        aria-label={label}
        aria-describedby="picture-keys"
        onPointerOver={(event) => setHovered(keyOf(event))}
        onPointerLeave={() => setHovered(undefined)}
        onFocus={(event) =>
          setFocused({
            key: keyOf(event) ?? '0',
            hasFocus: true,
            isVisible: event.target.matches(':focus-visible'),
          })
        }
        onBlur={() => setFocused((old) => old && { ...old, hasFocus: false, isVisible: false })}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        <div className={styles.grid} aria-hidden>
          {sizeMarks(maxSize, 2).map((size) => (
            <span key={size} style={{ insetInlineStart: sizePosition(size, maxSize) }} />
          ))}
        </div>
        <Blocks blocks={blocks} maxSize={maxSize} focused={find(focused?.key)?.key ?? '0'} />
        {active === undefined ? undefined : <BlockLabel block={active} height={height} />}
      </div>
      <div className={styles.axis} aria-hidden>
        {sizeMarks(maxSize, maxSize > 12 ? 4 : 2).map((size) => (
          <span key={size} style={{ insetInlineStart: sizePosition(size, maxSize) }}>
            {size === maxSize ? `${size}+` : size}
          </span>
        ))}
      </div>
      <p className="visually-hidden" id="picture-keys">
        Arrow keys move between blocks, Enter enlarges, O opens the tree, Escape goes back.
      </p>
    </div>
  )
}

/** Every `step`-th team size up to the end of the scale. */
const sizeMarks = (maxSize: number, step: number): readonly number[] =>
  Array.from({ length: Math.floor(maxSize / step) }, (_, index) => (index + 1) * step)

const sizePosition = (size: number, maxSize: number): string => `${((size + 0.5) / (maxSize + 1)) * 100}%`

interface BlocksProps {
  readonly blocks: readonly Block[]
  readonly maxSize: number
  /** Key of the block that the Tab key leads to. */
  readonly focused: string
}

const Blocks = memo(({ blocks, maxSize, focused }: BlocksProps) => {
  const rows = useMemo(
    () =>
      new Map(
        rowBlocks(blocks, 1.2).flatMap(({ key, manager }) =>
          manager === undefined ? [] : [[key, teamSizes(manager, maxSize)]],
        ),
      ),
    [blocks, maxSize],
  )
  return blocks.map((block) => (
    <BlockButton
      key={block.key}
      block={block}
      teams={rows.get(block.key)}
      maxSize={maxSize}
      isFocused={block.key === focused}
    />
  ))
})

interface BlockButtonProps {
  readonly block: Block
  /** The sizes of the teams in this part, if they are drawn beside the block. */
  readonly teams: TeamSizes | undefined
  readonly maxSize: number
  readonly isFocused: boolean
}

const BlockButton = memo(({ block, teams, maxSize, isFocused }: BlockButtonProps) => {
  const { key, level, from, to, merged } = block
  return (
    <button
      type="button"
      role="treeitem"
      className={styles.block}
      data-key={key}
      data-level={level}
      data-merged={merged === undefined ? undefined : true}
      style={{ insetBlockStart: `${from}em`, blockSize: `${to - from}em` }}
      tabIndex={isFocused ? 0 : -1}
      aria-level={level + 1}
    >
      <span className="visually-hidden">{[blockName(block), ...blockLines(block)].join(', ')}</span>
      {to - from < minTextHeight ? undefined : <BlockContent block={block} />}
      {teams === undefined ? undefined : <Teams sizes={teams} maxSize={maxSize} height={to - from} />}
    </button>
  )
})

/** Parts of the name of the block, which screen readers get as a whole. */
const BlockContent = ({ block }: { readonly block: Block }) => {
  const { first, second, total } = blockText(block)
  return (
    <>
      <bdi className={styles.first} aria-hidden>
        {first}
      </bdi>
      {second === '' ? undefined : (
        <bdi className={styles.second} aria-hidden>
          {second}
        </bdi>
      )}
      {block.level === 0 && block.manager === undefined ? undefined : (
        <span className={styles.total} aria-hidden>
          {formatInteger(total)}
          {block.level === 0 ? ' in all' : ''}
        </span>
      )}
    </>
  )
}

interface TeamsProps {
  readonly sizes: TeamSizes
  readonly maxSize: number
  readonly height: number
}

/** A small column chart: how many teams have how many people. All rows have the same scale of sizes. */
const Teams = ({ sizes: { teams, counts, largest }, maxSize, height }: TeamsProps) => {
  const most = Math.max(...counts)
  const bars = counts.flatMap((count, size) => {
    const bar = count / most
    return count > 0 ? [`M${size + 0.1} 1v${-bar}h.8v${bar}z`] : []
  })
  return (
    <span className={styles.teams} aria-hidden>
      <span className={styles.teamsText}>
        {teams === 1
          ? `${formatInteger(largest)} ${largest === 1 ? 'person' : 'people'}`
          : `${formatInteger(teams)} teams`}
      </span>
      <svg
        viewBox={`0 0 ${maxSize + 1} 1`}
        preserveAspectRatio="none"
        style={{ blockSize: `${Math.min(height - 0.4, 4)}em` }}
        aria-hidden
      >
        <path d={bars.join('')} />
      </svg>
    </span>
  )
}

interface BlockLabelProps {
  readonly block: Block
  readonly height: number
}

/** Repeats what the block and the table say, so it is hidden from screen readers. */
const BlockLabel = ({ block, height }: BlockLabelProps) => {
  const isLow = block.to > height - 10
  const canEnlarge = (block.manager?.managers.length ?? 0) > 0
  return (
    <div
      className={styles.label}
      data-level={block.level}
      style={
        block.level === 0
          ? { insetBlockStart: '8em' }
          : isLow
            ? { insetBlockEnd: `${height - block.from + 0.5}em` }
            : { insetBlockStart: `${block.to + 0.5}em` }
      }
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
