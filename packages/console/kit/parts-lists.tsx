import { ChevronRight } from 'lucide-react'
import type { CSSProperties } from 'react'
import { useState } from 'react'
import { CardList } from '../src/kit/CardList.tsx'
import { ChartFigure } from '../src/kit/ChartFigure.tsx'
import { ChartDrawing, ChartFrame } from '../src/kit/ChartFrame.tsx'
import { Chip, ChipList } from '../src/kit/Chip.tsx'
import { DotList, DotListItem } from '../src/kit/DotList.tsx'
import { Facet } from '../src/kit/Facet.tsx'
import { GridTable } from '../src/kit/GridTable.tsx'
import { Icon } from '../src/kit/Icon.tsx'
import { Legend, Swatch } from '../src/kit/Legend.tsx'
import { Pager } from '../src/kit/Pager.tsx'
import { Picks } from '../src/kit/Picks.tsx'
import type { TableColumn } from '../src/kit/Table.tsx'
import { Table } from '../src/kit/Table.tsx'
import { Tree, TreeArrow } from '../src/kit/Tree.tsx'

interface Office {
  readonly id: number
  readonly name: string
  readonly people: number
}

const offices: readonly Office[] = [
  { id: 1, name: 'Berlin', people: 1_204 },
  { id: 2, name: 'תל אביב', people: 310 },
  { id: 3, name: 'Bengaluru', people: 87 },
]

const columns: readonly TableColumn<Office>[] = [
  { title: 'Office', cell: ({ name }) => <bdi>{name}</bdi> },
  { title: 'People', kind: 'figure', sort: 'descending', cell: ({ people }) => people },
  { key: 'bar', kind: 'picture', cell: () => <span aria-hidden>▇▇</span> },
]

export const Tables = () => (
  <>
    <Table columns={columns} rows={offices} rowKey={({ id }) => id} currentKey={2} />
    <Table
      columns={[
        { title: 'Stage', cell: ({ name }) => name },
        { title: 'Reached', kind: 'figure', cell: ({ people }) => people, span: ({ id }) => (id === 3 ? 2 : 1) },
        { title: 'Went on', kind: 'figure', onPhones: 'line', cell: ({ people }) => people },
        { title: 'Rejected', kind: 'figure', onPhones: 'hidden', cell: () => 0 },
      ]}
      rows={offices}
      rowKey={({ id }) => id}
      isHeadHidden
      isFlush
      hasLinesOnPhones
    />
    <Table
      columns={[
        ...columns.slice(0, 2),
        { key: 'summary', kind: 'picture', onPhones: 'only', cell: ({ people }) => `${people} people` },
      ]}
      groups={[
        { key: 'large', head: 'More than 100 people', rows: offices.slice(0, 2) },
        { key: 'small', head: 'Fewer', rows: offices.slice(2), foot: <a href="#small">3 more</a> },
      ]}
      rowKey={({ id }) => id}
      hasLinesOnPhones
    />
  </>
)

const keyOf = ({ id }: Office) => id
const textOf = ({ name }: Office) => name

export const GridTables = () => {
  const [selected, setSelected] = useState<string | number>()
  const [opened, setOpened] = useState<string | number>()
  const [sort, setSort] = useState({ field: 'name', isDescending: false })
  const rows = offices.toSorted((a, b) => (sort.isDescending ? -1 : 1) * a.name.localeCompare(b.name))
  return (
    <>
      <GridTable
        label="Offices"
        columns={[
          { id: 'name', title: 'Office', isRowHead: true, isSortable: true, cell: ({ name }) => <bdi>{name}</bdi> },
          { id: 'people', title: 'People', about: 'Active people', isFigure: true, cell: ({ people }) => people },
        ]}
        items={rows}
        keyOf={keyOf}
        textOf={textOf}
        selected={selected}
        selection="follow"
        onSelect={setSelected}
        onAction={setOpened}
        sort={sort}
        onSort={setSort}
        dependencies={[]}
      />
      <div style={{ '--columns': '10rem 5rem', '--line-height': '2rem' } as CSSProperties}>
        <GridTable
          label="A part of the offices"
          columns={[
            { id: 'name', title: 'Office', isRowHead: true, cell: ({ name }) => <bdi>{name}</bdi> },
            { id: 'people', title: 'People', isFigure: true, cell: ({ people }) => people },
          ]}
          items={rows}
          keyOf={keyOf}
          selected={undefined}
          selection="toggle"
          onSelect={() => {}}
          sort={sort}
          onSort={setSort}
          window={{ total: 1_000, indexOf: ({ id }) => id }}
          dependencies={[]}
        />
      </div>
      <p role="status">
        Selected: {selected ?? 'none'}. Opened: {opened ?? 'none'}.
      </p>
    </>
  )
}

export const CardLists = () => {
  const [selected, setSelected] = useState<string | number>()
  const shared = { label: 'Offices', items: offices, keyOf, textOf }
  return (
    <>
      <CardList {...shared} layout="cards" selection="toggle" selected={selected} onSelect={setSelected}>
        {({ name }) => <bdi>{name}</bdi>}
      </CardList>
      <CardList {...shared} label="Offices as lines" selection="none" onAction={setSelected}>
        {({ name, people }) => (
          <>
            <bdi>{name}</bdi> {people}
          </>
        )}
      </CardList>
      <p role="status">Selected: {selected ?? 'none'}</p>
    </>
  )
}

export const DotLists = () => (
  <>
    {(['small', 'large'] as const).map((size) => (
      <DotList key={size} size={size}>
        <DotListItem mark="accent" isCurrent>
          Joined Berlin
        </DotListItem>
        <DotListItem>New title</DotListItem>
        <DotListItem mark="ring">Known from this day on</DotListItem>
        <DotListItem>Candidate</DotListItem>
      </DotList>
    ))}
  </>
)

export const PicksParts = () => {
  const [office, setOffice] = useState<string>()
  const [team, setTeam] = useState<string>()
  const toOption = (label: string, index: number) => ({ value: label, label, count: 40 - index })
  return (
    <Picks
      picks={[
        {
          key: 'office',
          title: 'Office',
          all: 117,
          options: offices.map(({ name }, index) => toOption(name, index)),
          selected: office,
          onChange: setOffice,
        },
        {
          key: 'team',
          title: 'Team',
          all: 117,
          options: Array.from({ length: 20 }, (_, index) => toOption(`Team ${index + 1}`, index)),
          selected: team,
          onChange: setTeam,
        },
      ]}
    />
  )
}

interface TreeNode {
  readonly id: string
  readonly below: readonly TreeNode[]
}

const nodes: readonly TreeNode[] = [
  { id: 'Ada', below: [{ id: 'Grace', below: [] }] },
  { id: 'Alan', below: [] },
]

export const Trees = () => {
  const [openKeys, setOpenKeys] = useState<readonly string[]>([])
  return (
    <Tree
      label="Org chart"
      nodes={nodes}
      rowOf={({ id, below }) => ({
        id,
        text: id,
        hasRowsBelow: below.length > 0,
        content: (
          <>
            {id}
            {below.length === 0 ? undefined : (
              <TreeArrow>
                <Icon of={ChevronRight} />
              </TreeArrow>
            )}
          </>
        ),
      })}
      childrenOf={({ below }) => below}
      openKeys={openKeys}
      onToggle={(key) =>
        setOpenKeys(openKeys.includes(key) ? openKeys.filter((other) => other !== key) : [...openKeys, key])
      }
    />
  )
}

const options = Array.from({ length: 40 }, (_, index) => ({
  value: `office ${index}`,
  label: `Office ${index}`,
  count: 400 - index,
}))

export const Facets = () => {
  const [selected, setSelected] = useState<readonly string[]>(['office 20'])
  return (
    <>
      <Facet
        title="Office"
        options={options}
        selected={selected}
        onChange={setSelected}
        countOf={({ count }) => count}
        others={{ label: 'Not set', count: 3 }}
      />
      <p role="status">Selected: {selected.join(', ')}</p>
    </>
  )
}

export const Chips = () => {
  const [names, setNames] = useState<readonly string[]>(['status', 'office'])
  return (
    <>
      <ChipList count={names.length} onClear={() => setNames([])}>
        {names.map((name) => (
          <Chip
            key={name}
            name={name}
            value="Berlin"
            onRemove={() => setNames(names.filter((other) => other !== name))}
            {...(name === 'status' ? { editor: () => <p>The editor of {name}</p> } : {})}
          />
        ))}
      </ChipList>
      <p role="status">{names.length} filters</p>
    </>
  )
}

export const Pagers = () => (
  <>
    <Pager total={1_204} offset={25} shown={25} size={25} />
    <Pager label="Last pages" total={1_204} offset={1_200} shown={4} size={25} hasEnds />
    <Pager total={3} offset={0} shown={3} size={25} />
  </>
)

export const ChartFrames = () => (
  <>
    <ChartFigure
      title="Joined"
      remark="per month"
      table={<Table columns={columns} rows={offices} rowKey={({ id }) => id} />}
    >
      <ChartFrame label="People per office" height={60} tip={{ x: 40, y: 20, text: 'Berlin: 1,204' }}>
        {(width) => (
          <>
            <line data-ink="axis" x1={0} x2={width} y1={59} y2={59} />
            {offices.map(({ id, name, people }, index) => (
              <a key={id} href={`#${id}`} data-mark aria-label={`${name}: ${people}`} tabIndex={index === 0 ? 0 : -1}>
                <rect data-ink="hit" x={index * 60} y={0} width={50} height={60} />
                <rect data-ink={index === 0 ? 'first' : 'base'} x={index * 60} y={20} width={40} height={40} />
              </a>
            ))}
          </>
        )}
      </ChartFrame>
    </ChartFigure>
    <ChartFrame label="People at the end of a month" height={60} tip={{ x: 5_000, y: 20, text: 'November: 1,601' }}>
      {(width) => <line data-ink="axis" x1={0} x2={width} y1={59} y2={59} />}
    </ChartFrame>
    <ChartDrawing width={100} height={20} role="img" aria-label="A line">
      <path data-ink="line" d="M0 10 L100 5" />
    </ChartDrawing>
    <Legend label="Colours">
      <li>
        <Swatch style={{ background: 'var(--cat-1)' }} /> joined
      </li>
    </Legend>
  </>
)
