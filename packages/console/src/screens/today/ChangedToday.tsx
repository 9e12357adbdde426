import { useQuery } from '@tanstack/react-query'
import { Figure } from '../../components/Figure.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { Section } from '../../kit/Section.tsx'
import type { TableColumn } from '../../kit/Table.tsx'
import { Table } from '../../kit/Table.tsx'
import { useSession } from '../../service/session.tsx'
import type { ChangedResource } from './changed-today.ts'
import { kinds as allKinds, changedResources, maxChanges, readChangesSince } from './changed-today.ts'
import styles from './TodayScreen.module.css'

/** Which records were created, updated, deleted and erased since midnight UTC, from the change feed. */
export const ChangedToday = ({ day }: { readonly day: string }) => {
  const { client } = useSession()
  const result = useQuery({
    queryKey: ['changes', day],
    queryFn: ({ signal }) => readChangesSince(client, day, signal),
  })
  return (
    <Section
      title="Changed today"
      remark="since 00:00 UTC"
      aside={<HowCounted title="Changed today" definition={definition} path={`/api/v1/changes?since=${day}`} />}
      className="apart"
    >
      <Loadable result={result} asked="the changes of today">
        {({ changes, behindSeconds }) => (
          <>
            {changes === undefined ? (
              <p className="note">
                More than {formatInteger(maxChanges)} changes today, too many to count here. The change feed of the API
                has all of them.
              </p>
            ) : changes.length === 0 ? (
              <p className="note">No record was created, updated or deleted today.</p>
            ) : (
              <ChangedTable resources={changedResources(changes)} />
            )}
            {behindSeconds < shownBehindSeconds ? undefined : <BehindNote minutes={Math.round(behindSeconds / 60)} />}
          </>
        )}
      </Loadable>
    </Section>
  )
}

const shownBehindSeconds = 60

const BehindNote = ({ minutes }: { readonly minutes: number }) => (
  <p className={`note ${styles.stats}`}>
    Changes of the last {formatInteger(minutes)} {plural(minutes, 'minute', 'minutes')} may be missing: a transaction in
    the database is still open.
  </p>
)

const ChangedTable = ({ resources }: { readonly resources: readonly ChangedResource[] }) => {
  // Erased records are rare.
  const shownKinds = allKinds.filter(
    (kind) => kind !== 'erased' || resources.some(({ kinds }) => kinds.some((each) => each.kind === kind)),
  )
  return (
    <Table
      className={styles.changes}
      rows={resources}
      rowKey={({ resource }) => resource}
      columns={[
        { title: 'Resource', cell: ({ resource }) => titleOf(resource) },
        ...shownKinds.map(
          (kind): TableColumn<ChangedResource> => ({
            title: valueLabel(kind),
            kind: 'figure',
            cell: ({ resource, kinds }) => {
              const records = kinds.find((each) => each.kind === kind)
              return records === undefined ? (
                <span className="muted">–</span>
              ) : (
                <Figure
                  name={`today.changed.${resource}.${kind}`}
                  value={records.count}
                  link={records.link}
                  what={`${titleOf(resource)} ${kind} today`}
                />
              )
            },
          }),
        ),
        {
          title: 'Last change',
          kind: 'figure',
          className: 'only-wide',
          cell: ({ last }) => <time dateTime={last}>{last.slice(11, 16)}</time>,
        },
      ]}
    />
  )
}

const titleOf = (resource: string): string => valueLabel(resource.replaceAll('-', '_'))

const definition = `Each record counts once, by its last change since midnight UTC. A record that was created and then updated counts as created. Deleted records have no list, and lists by id have at most 200 records. The figures are shown up to ${formatInteger(maxChanges)} changes.`
