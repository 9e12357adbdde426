import type { SearchPage } from '@muster/client'
import type { Resource } from '@muster/model'
import type { ReactNode } from 'react'
import { PersonName } from '../../components/PersonName.tsx'
import { today } from '../../format/dates.ts'
import { valueLabel } from '../../format/labels.ts'
import { PaletteGroup, PaletteItem } from '../../kit/Palette.tsx'
import { stringifySearch } from '../../search-parameters.ts'
import type { Destination } from './destinations.ts'
import { matchingParts, searchTerms } from './matching-text.ts'
import type { ShownResult } from './record-results.ts'
import { isHiddenMatch, namesakesText, resultPath, shownResults } from './record-results.ts'
import type { ScreenTarget } from './screen-targets.ts'

export const destinationGroup = (destinations: readonly Destination[], text: string) => {
  const terms = searchTerms(text)
  return group('destinations', 'Screens and resources', [
    ...destinations.map(({ path, label, remark }) => (
      <Result key={path} path={path} name={label} details={remark} terms={terms} />
    )),
  ])
}

/** Links and buttons of the open screen. They are far from the keyboard if there are many before them. */
export const targetGroup = (targets: readonly ScreenTarget[], text: string, press: (target: ScreenTarget) => void) => {
  const terms = searchTerms(text)
  return group(
    'targets',
    'On this screen',
    targets.map((target) => (
      <PaletteItem
        key={target.id}
        id={target.id}
        text={`${target.name}, ${target.owner}`}
        onAction={() => press(target)}
      >
        <span>
          <MatchingText text={target.name} terms={terms} />
        </span>
        <span>
          <MatchingText text={target.owner} terms={terms} />
        </span>
      </PaletteItem>
    )),
  )
}

const groupTitles = { employees: 'People', jobs: 'Job openings', candidates: 'Candidates' }
const personKinds = { employees: 'Employee', candidates: 'Candidate' } as const

/** The group of the best match comes first. */
export const recordGroups = ({ data: results, meta }: SearchPage, query: string, isWithheld: boolean) => {
  const terms = searchTerms(query)
  return [...Map.groupBy(results, ({ resource }) => resource)].map(([resource, found]) => {
    const shown = shownResults(found, today())
    return group(
      resource,
      groupTitles[resource],
      shown.map((hit) => <Hit key={hit.result.id} hit={hit} terms={terms} isWithheld={isWithheld} />),
      resource === 'jobs'
        ? undefined
        : namesakesText(shown, resource === 'employees' ? 'people' : 'candidates', meta.more),
    )
  })
}

interface HitProps {
  readonly hit: ShownResult
  readonly terms: readonly string[]
  readonly isWithheld: boolean
}

/** Two lines: the name, and what tells it from others. */
const Hit = ({ hit, terms, isWithheld }: HitProps) => {
  const { result, name, facts, ends } = hit
  const isHidden = isHiddenMatch(hit, terms)
  return (
    <PaletteItem
      id={resultPath(result)}
      href={resultPath(result)}
      text={[name, ...facts.map(({ text }) => text), ...ends].join(', ')}
      hasTwoLines
    >
      <span>
        {isWithheld && result.resource !== 'jobs' ? (
          <PersonName person={result} kind={personKinds[result.resource]} isLink={false} />
        ) : (
          <MatchingText text={name} terms={terms} />
        )}
      </span>
      <span>
        {facts.map(({ text, isDifferent }, index) => (
          <span key={text}>
            {index === 0 ? '' : ' · '}
            {isDifferent ? (
              <b>
                <MatchingText text={text} terms={terms} />
              </b>
            ) : (
              <MatchingText text={text} terms={terms} />
            )}
          </span>
        ))}
        {isHidden ? ' · in another field' : undefined}
      </span>
      <span>
        {ends.map((text) => (
          <span key={text}>
            <MatchingText text={text} terms={terms} />
          </span>
        ))}
      </span>
    </PaletteItem>
  )
}

/** Each entry opens the list of a resource with the search: all matches, and their number. */
export const listGroup = (resources: readonly Resource[], query: string) =>
  group(
    'lists',
    `Search for “${query}” in`,
    resources.map(({ path, titles, area }) => (
      <Result
        key={path}
        id={`list ${path}`}
        path={`/data/${path}${stringifySearch({ q: query })}`}
        name={valueLabel(titles)}
        details={area}
        terms={[]}
      />
    )),
  )

const group = (id: string, title: string, items: readonly ReactNode[], note?: string) =>
  items.length === 0 ? undefined : (
    <PaletteGroup key={id} id={id} title={title} note={note}>
      {items}
    </PaletteGroup>
  )

interface ResultProps {
  readonly path: string
  /** If the path is not always the same for this result. */
  readonly id?: string
  readonly name: string
  readonly details: string
  readonly terms: readonly string[]
}

const Result = ({ path, id = path, name, details, terms }: ResultProps) => (
  <PaletteItem id={id} href={path} text={`${name}, ${details}`}>
    <span>
      <MatchingText text={name} terms={terms} />
    </span>
    <span>{details}</span>
  </PaletteItem>
)

const MatchingText = ({ text, terms }: { readonly text: string; readonly terms: readonly string[] }) => (
  <bdi>
    {matchingParts(text, terms).map(({ text: part, isMatch }, index) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
      isMatch ? <mark key={index}>{part}</mark> : part,
    )}
  </bdi>
)
