import type { Client } from '@muster/client'
import type { NamedField, Resource } from '@muster/model'
import { addDays, daysBetween, resources } from '@muster/model'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dataLocation } from '../../components/data-links.ts'
import figureStyles from '../../components/Figure.module.css'
import { formatDay } from '../../format/dates.ts'
import { valueLabel } from '../../format/labels.ts'
import { Section } from '../../kit/Section.tsx'
import { Table } from '../../kit/Table.tsx'
import { listPath } from '../../service/requests.ts'
import { useSession } from '../../service/session.tsx'
import styles from './HealthScreen.module.css'
import { newestField } from './newest-field.ts'
import { createRequestQueue } from './request-queue.ts'

/** These requests are many and not urgent. */
const queue = createRequestQueue(1)

const dated = resources.flatMap((resource): { readonly resource: Resource; readonly field: NamedField }[] => {
  const field = newestField(resource)
  return field === undefined ? [] : [{ resource, field }]
})

/** The service counts the records of each list, so that the last days are tried first: they are few. */
const triedDays = 31

/** The newest day up to `asOf`. Null if there is none. */
const newestDay = async (
  client: Client,
  path: string,
  field: string,
  asOf: string,
  signal: AbortSignal,
): Promise<string | null> => {
  const resource = client.resource(path)
  const newest = { [`${field}_to`]: asOf, sort: `-${field}`, fields: ['id', field], limit: 1 }
  const recent = await resource.list({ ...newest, [`${field}_from`]: addDays(asOf, -triedDays) }, { signal })
  const [record] = recent.data.length > 0 ? recent.data : (await resource.list(newest, { signal })).data
  const value = record?.[field]
  return typeof value === 'string' ? value.slice(0, 10) : null
}

/** How far the records of each resource reach, up to today. */
export const NewestDays = ({ asOf }: { readonly asOf: string }) => {
  const { client } = useSession()
  const results = useQueries({
    queries: dated.map(({ resource, field }) => ({
      queryKey: [resource.path, 'newest', field.name, asOf],
      queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<string | null> =>
        queue(() => newestDay(client, resource.path, field.name, asOf, signal), signal),
    })),
  })
  const days = dated.map(({ resource, field }, index) => {
    const newest = results[index]?.data
    return { resource, field, isKnown: newest !== undefined, day: newest ?? undefined }
  })
  return (
    <Section title="Newest day per resource">
      <Table
        className={styles.days}
        isFlush
        isHeadHidden
        rows={days}
        rowKey={({ resource }) => resource.path}
        columns={[
          {
            title: 'Resource',
            cell: ({ resource, field }) => (
              <>
                {valueLabel(resource.titles)} <code className="muted">{field.name}</code>
              </>
            ),
          },
          {
            title: 'Newest day',
            kind: 'figure',
            cell: ({ resource, field, isKnown, day }) =>
              day !== undefined ? (
                <Link
                  className={figureStyles.figure}
                  {...dataLocation(listPath(resource.path, { [`${field.name}_from`]: day, [`${field.name}_to`]: day }))}
                >
                  {formatDay(day)}
                </Link>
              ) : isKnown ? (
                <span className="muted">no records</span>
              ) : undefined,
          },
        ]}
      />
      <p className={`note ${styles.after}`}>{ageText(days, asOf)}</p>
    </Section>
  )
}

const recentDays = 7
/** The resources that change every working day. If they are old, an import is probably missing. */
const dailyResources = ['attendance', 'leave', 'applications']

interface KnownDay {
  readonly resource: Resource
  readonly day: string | undefined
}

const ageText = (days: readonly KnownDay[], asOf: string): string => {
  const old = days.filter(
    ({ resource, day }) =>
      day !== undefined && dailyResources.includes(resource.path) && daysBetween(day, asOf) > recentDays,
  )
  const names = old.map(({ resource }) => resource.titles).join(', ')
  return old.length === 0
    ? `Records after today, ${formatDay(asOf)}, are not counted.`
    : `The newest record is more than ${recentDays} days before ${formatDay(asOf)}: ${names}.`
}
