import type { Page } from '@muster/client'
import type { Resource } from '@muster/model'
import type { ReactNode } from 'react'
import { PersonName, personName } from '../../components/PersonName.tsx'
import { valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { PaletteGroup, PaletteItem } from '../../kit/Palette.tsx'
import { stringifySearch } from '../../search-parameters.ts'
import type { Destination } from './destinations.ts'
import { matchingParts, searchTerms } from './matching-text.ts'
import type { FoundCandidate, FoundEmployee, FoundJob } from './record-results.ts'
import { candidateDetails, employeeDetails, jobDetails, withHiddenMatch } from './record-results.ts'
import type { ScreenTarget } from './screen-targets.ts'

export const destinationGroup = (destinations: readonly Destination[], text: string) => {
  const terms = searchTerms(text)
  return group('destinations', 'Screens and resources', undefined, [
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
    undefined,
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

export const employeeGroup = (page: Page<FoundEmployee> | undefined, query: string, isWithheld: boolean) => {
  const terms = searchTerms(query)
  return recordGroup('employees', 'People', page, query, (person) => (
    <Result
      key={person.id}
      path={`/people/${person.id}`}
      name={personName(person) ?? `Employee ${person.id}`}
      details={employeeDetails(person, terms)}
      terms={terms}
    >
      {isWithheld ? <PersonName person={person} isLink={false} /> : undefined}
    </Result>
  ))
}

export const jobGroup = (page: Page<FoundJob> | undefined, query: string) => {
  const terms = searchTerms(query)
  return recordGroup('jobs', 'Job openings', page, query, (job) => (
    <Result key={job.id} path={`/hiring/openings/${job.id}`} name={job.title} details={jobDetails(job)} terms={terms} />
  ))
}

export const candidateGroup = (page: Page<FoundCandidate> | undefined, query: string, isWithheld: boolean) => {
  const terms = searchTerms(query)
  return recordGroup('candidates', 'Candidates', page, query, (person) => (
    <Result
      key={person.id}
      path={`/data/candidates?id=${person.id}&_open=${person.id}`}
      name={personName(person) ?? `Candidate ${person.id}`}
      details={candidateDetails(person, terms)}
      terms={terms}
    >
      {isWithheld ? <PersonName person={person} kind="Candidate" isLink={false} /> : undefined}
    </Result>
  ))
}

/** The other resources are not searched at once: each entry opens its list with the search. */
export const otherGroup = (resources: readonly Resource[], query: string) =>
  group(
    'other',
    `Search for “${query}” in`,
    undefined,
    resources.map(({ path, titles, area }) => (
      <Result
        key={path}
        id={`other ${path}`}
        path={`/data/${path}${stringifySearch({ q: query })}`}
        name={valueLabel(titles)}
        details={area}
        terms={[]}
        isRemark
      />
    )),
  )

const recordGroup = <T,>(
  resource: string,
  title: string,
  page: Page<T> | undefined,
  query: string,
  item: (record: T) => ReactNode,
) => {
  if (page === undefined) return undefined
  const { total } = page.meta
  return group(resource, title, total, [
    ...page.data.map(item),
    ...(total > page.data.length
      ? [
          <PaletteItem
            key="all"
            id={`${resource} all`}
            text={`All ${formatInteger(total)}`}
            href={`/data/${resource}${stringifySearch({ q: query })}`}
          >
            <span>
              All{' '}
              <span className="number" data-figure={`search.${resource}`} data-value={total}>
                {formatInteger(total)}
              </span>
            </span>
          </PaletteItem>,
        ]
      : []),
  ])
}

const group = (id: string, title: string, total: number | undefined, items: readonly ReactNode[]) =>
  items.length === 0 ? undefined : (
    <PaletteGroup
      key={id}
      id={id}
      title={
        <>
          {title} {total === undefined ? undefined : <span className="number">{formatInteger(total)}</span>}
        </>
      }
    >
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
