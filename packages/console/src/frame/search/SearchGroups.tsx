import type { SearchResult } from '@muster/client'
import type { Resource } from '@muster/model'
import type { ReactNode } from 'react'
import { PersonName } from '../../components/PersonName.tsx'
import { valueLabel } from '../../format/labels.ts'
import { personName } from '../../format/person-name.ts'
import { PaletteGroup, PaletteItem } from '../../kit/Palette.tsx'
import { stringifySearch } from '../../search-parameters.ts'
import type { Destination } from './destinations.ts'
import { matchingParts, searchTerms } from './matching-text.ts'
import { resultDetails, resultPath, withHiddenMatch } from './record-results.ts'
import type { ScreenTarget } from './screen-targets.ts'

export const destinationGroup = (destinations: readonly Destination[], text: string) => {
  const terms = searchTerms(text)
  return group('destinations', 'Screens and resources', [
    ...destinations.map(({ path, label, remark }) => (
      <Result key={path} path={path} name={label} details={remark} terms={terms} isRemark />
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
export const recordGroups = (results: readonly SearchResult[], query: string, isWithheld: boolean) => {
  const terms = searchTerms(query)
  return [...Map.groupBy(results, ({ resource }) => resource)].map(([resource, found]) =>
    group(
      resource,
      groupTitles[resource],
      found.map((result) => (
        <Result
          key={result.id}
          path={resultPath(result)}
          name={resultName(result)}
          details={resultDetails(result)}
          terms={terms}
        >
          {isWithheld && result.resource !== 'jobs' ? (
            <PersonName person={result} kind={personKinds[result.resource]} isLink={false} />
          ) : undefined}
        </Result>
      )),
    ),
  )
}

const resultName = (result: SearchResult): string =>
  result.resource === 'jobs' ? result.title : (personName(result) ?? `${personKinds[result.resource]} ${result.id}`)

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
        isRemark
      />
    )),
  )

const group = (id: string, title: string, items: readonly ReactNode[]) =>
  items.length === 0 ? undefined : (
    <PaletteGroup key={id} id={id} title={title}>
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
  /** If true, the details are not part of what is searched. */
  readonly isRemark?: boolean
  /** Stands in place of the name. */
  readonly children?: ReactNode
}

const Result = ({ path, id = path, name, details, terms, isRemark = false, children }: ResultProps) => (
  <PaletteItem id={id} href={path} text={`${name}, ${details}`}>
    <span>{children ?? <MatchingText text={name} terms={terms} />}</span>
    <span>{isRemark ? details : <MatchingText text={withHiddenMatch(name, details, terms)} terms={terms} />}</span>
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
