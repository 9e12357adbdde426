import type { Relation, Resource } from '@muster/model'
import { resourceAt } from '@muster/model'
import { useState } from 'react'
import { Figure } from '../../components/Figure.tsx'
import { valueLabel } from '../../format/labels.ts'
import { Disclosure } from '../../kit/Disclosure.tsx'
import { listPath } from '../../service/requests.ts'
import type { Row } from './list-query.ts'
import styles from './RecordDrawer.module.css'
import { numberedLabel, resourceTitle } from './record-label.ts'
import { backReferences } from './related-records.ts'
import { useTotals } from './requests.ts'
import { useExplorer } from './use-explorer.ts'

interface RelatedCountsProps {
  readonly resource: Resource
  readonly row: Row
  readonly isWaiting: boolean
}

interface RelatedList {
  readonly key: string
  readonly label: string
  readonly resource: Resource
  readonly parameters: Readonly<Record<string, string>>
}

/** How many records refer to this one, to the records that it refers to, and have the same days. */
export const RelatedCounts = ({ resource, row, isWaiting }: RelatedCountsProps) => {
  const { isWithheld } = useExplorer()
  const own = referringLists(resource.path, row.id)
  const related = resource.relations.filter(({ field }) => typeof row[field.name] === 'number')
  const sameDay = resource.allFields
    .filter(({ kind, personal, name }) => kind === 'date' && !(personal && isWithheld) && typeof row[name] === 'string')
    .map(({ name }) => ({
      key: name,
      label: `${name} ${String(row[name])}`,
      resource,
      parameters: { [`${name}_from`]: String(row[name]), [`${name}_to`]: String(row[name]) },
    }))
  return (
    <>
      {own.length === 0 ? undefined : (
        <CountSection
          key={`own ${row.id}`}
          title={`Refer to this ${resource.title}`}
          lists={own}
          isWaiting={isWaiting}
          isOpen
        />
      )}
      {related.map((relation, index) => (
        <CountSection
          key={`${relation.name} ${String(row[relation.field.name])}`}
          title={`Refer to the same ${relation.name.replaceAll('_', ' ')}`}
          detail={relatedName(relation, row)}
          lists={referringLists(relation.resource, row[relation.field.name] as number)}
          isWaiting={isWaiting}
          isOpen={own.length === 0 && index === 0}
        />
      ))}
      {sameDay.length === 0 ? undefined : (
        <CountSection
          key={sameDay.map(({ label }) => label).join()}
          title="Same day"
          lists={sameDay}
          isWaiting={isWaiting}
          isOpen={sameDay.length === 1}
        />
      )}
    </>
  )
}

const relatedName = ({ resource, field }: Relation, row: Row): string =>
  numberedLabel(resourceAt(resource), row[field.name])

/** The lists of the records that refer to the record with this id. */
const referringLists = (path: string, id: number): readonly RelatedList[] => {
  const references = backReferences(path)
  return references.map(({ resource, field }) => {
    const isOnly = references.filter((other) => other.resource === resource).length === 1
    const role = field.references?.as ?? field.name.replace(/_id$/, '')
    const isPlain = isOnly && role === resourceAt(path).title
    return {
      key: `${resource.path}.${field.name}`,
      label: isPlain ? resourceTitle(resource) : `${resourceTitle(resource)}, as ${valueLabel(role).toLowerCase()}`,
      resource,
      parameters: { [field.name]: String(id) },
    }
  })
}

interface CountSectionProps {
  readonly title: string
  readonly detail?: string
  readonly lists: readonly RelatedList[]
  readonly isWaiting: boolean
  readonly isOpen: boolean
}

/** Counts are requested when the section is open. */
const CountSection = ({ title, detail, lists, isWaiting, isOpen }: CountSectionProps) => {
  const [isExpanded, setIsExpanded] = useState(isOpen)
  const totals = useTotals(lists, { enabled: isExpanded && !isWaiting })
  return (
    <Disclosure
      className={styles.section}
      title={title}
      remark={detail}
      isExpanded={isExpanded}
      onExpandedChange={setIsExpanded}
    >
      <ul className={styles.counts}>
        {lists.map(({ key, label, resource, parameters }, index) => {
          const total = totals[index]
          return (
            <li key={key}>
              <span>{label}</span>
              {total === undefined ? undefined : (
                <Figure
                  name={`data.related.${key}`}
                  value={total}
                  link={listPath(resource.path, parameters)}
                  what={label}
                />
              )}
            </li>
          )
        })}
      </ul>
    </Disclosure>
  )
}
