import type { NamedField, Resource } from '@muster/model'
import { resourceAt, trackedFields } from '@muster/model'
import type { ReactNode } from 'react'
import { Loadable } from '../../components/Loadable.tsx'
import type { Neighbours } from '../../explorer/use-list-keys.ts'
import { CodeBlock } from '../../kit/CodeBlock.tsx'
import { Drawer } from '../../kit/Drawer.tsx'
import { RequestForms } from './CopyAs.tsx'
import { getCall } from './copy-as.ts'
import type { Row } from './list-query.ts'
import { RecordChanges } from './RecordChanges.tsx'
import styles from './RecordDrawer.module.css'
import { RelatedCounts } from './RelatedCounts.tsx'
import { hasPersonalLabel, numberedLabel, recordLabel } from './record-label.ts'
import { useRow } from './requests.ts'
import { useExplorer } from './use-explorer.ts'
import { Null, RecordLink, RecordName, Value } from './Value.tsx'

interface RecordDrawerProps {
  readonly id: number
  readonly neighbours: Neighbours
  /** If true, the list has not arrived yet, and further requests wait for it. */
  readonly isFirstPicture: boolean
}

/** One record with all its fields. The list stays usable beside it. */
export const RecordDrawer = ({ id, neighbours, isFirstPicture }: RecordDrawerProps) => {
  const { resource, open } = useExplorer()
  const expand = resource.relations.map(({ name }) => name).join(',')
  const result = useRow(resource, id, expand === '' ? {} : { expand })
  return (
    <Drawer
      label={numberedLabel(resource, id)}
      noun="record"
      mark={`${resource.path} / ${id}`}
      id={id}
      previous={neighbours.previous}
      next={neighbours.next}
      onMove={open}
      onClose={() => open(undefined)}
    >
      <Loadable result={result} asked={`the ${resource.title} ${id}`}>
        {(row) => <Record resource={resource} row={row} isFirstPicture={isFirstPicture} />}
      </Loadable>
    </Drawer>
  )
}

interface RecordProps {
  readonly resource: Resource
  readonly row: Row
  readonly isFirstPicture: boolean
}

const Record = ({ resource, row, isFirstPicture }: RecordProps) => {
  const { isWithheld } = useExplorer()
  const label = recordLabel(resource, row)
  const related = resource.relations.filter(({ name }) => row[name] !== null && row[name] !== undefined)
  return (
    <>
      <h2 className={styles.title}>
        {label === undefined && !(isWithheld && hasPersonalLabel(resource)) ? (
          numberedLabel(resource, row.id)
        ) : (
          <RecordName resource={resource} record={row} isWithheld={isWithheld} />
        )}
      </h2>
      <dl className={styles.fields}>
        {resource.allFields.map((field) => (
          <div key={field.name}>
            <dt title={field.about}>
              <code>{field.name}</code>
            </dt>
            <dd>
              <FieldValue resource={resource} field={field} row={row} isWithheld={isWithheld} />
            </dd>
          </div>
        ))}
      </dl>
      {related.length === 0 ? undefined : (
        <DrawerSection title="Refers to">
          <ul className={styles.lines}>
            {related.map(({ name, resource: path }) => {
              const record = row[name] as Row
              const target = resourceAt(path)
              return (
                <li key={name}>
                  <span className="muted">{name}</span>{' '}
                  <RecordLink path={path} id={String(record.id)} className={styles.name}>
                    {recordLabel(target, record) === undefined && !isWithheld ? (
                      numberedLabel(target, record.id)
                    ) : (
                      <RecordName resource={target} record={record} isWithheld={isWithheld} />
                    )}
                  </RecordLink>
                </li>
              )
            })}
          </ul>
        </DrawerSection>
      )}
      {trackedFields(resource).length > 0 && !isFirstPicture ? (
        <DrawerSection title="Changes">
          <RecordChanges key={row.id} resource={resource} id={row.id} />
        </DrawerSection>
      ) : undefined}
      <RelatedCounts resource={resource} row={row} isWaiting={isFirstPicture} />
      <section className={styles.section}>
        <RequestForms
          title="Copy as"
          headingLevel={3}
          path={`/api/v1/${resource.path}/${row.id}`}
          call={getCall(resource, row.id)}
        />
      </section>
    </>
  )
}

interface DrawerSectionProps {
  readonly title: string
  readonly children: ReactNode
}

const DrawerSection = ({ title, children }: DrawerSectionProps) => (
  <section className={styles.section}>
    <h3 className={styles.heading}>{title}</h3>
    {children}
  </section>
)

interface FieldValueProps {
  readonly resource: Resource
  readonly field: NamedField
  readonly row: Row
  readonly isWithheld: boolean
}

const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' })
/** Longer texts are folded. */
const maxOpenLength = 400

/** A value with all there is to it: long texts whole, days with their weekday, JSON in lines. */
const FieldValue = ({ resource, field, row, isWithheld }: FieldValueProps) => {
  const value = row[field.name]
  if (value === undefined) return <Null />
  if (typeof value === 'string' && value !== '' && !(field.personal && isWithheld)) {
    if (field.kind === 'date' && !Number.isNaN(Date.parse(value)))
      return (
        <span className="number">
          {value} <span className="muted">{weekday.format(Date.parse(value))}</span>
        </span>
      )
    if (field.kind === 'json') return <LongText text={prettyJson(value)} isCode />
    if (field.kind === 'url' && /^https?:\/\//i.test(value))
      return (
        <a className="link" href={value} target="_blank" rel="noreferrer">
          {value.slice(0, maxOpenLength)}
        </a>
      )
    if (field.kind === 'color' && /^#[\da-f]{3,8}$/i.test(value))
      return (
        <span className={styles.color}>
          <span style={{ background: value }} aria-hidden /> {value}
        </span>
      )
    if (field.kind === 'text') return <LongText text={value} />
  }
  return <Value resource={resource} field={field} row={row} isWithheld={isWithheld} />
}

const LongText = ({ text, isCode = false }: { readonly text: string; readonly isCode?: boolean }) => {
  const content = isCode ? <CodeBlock>{text}</CodeBlock> : <bdi className={styles.text}>{text}</bdi>
  if (text.length <= maxOpenLength) return content
  return (
    <details>
      <summary className={styles.summary}>
        <bdi>{text.slice(0, 120)}…</bdi> <span className="link">all {text.length} characters</span>
      </summary>
      {content}
    </details>
  )
}

const prettyJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
