import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { ChangedValue, useChangedNames } from '../../components/ChangedValue.tsx'
import { dataLocation } from '../../components/data-links.ts'
import type { TrackedField } from '../../components/employee-changes.ts'
import { changeTitle, referredIds } from '../../components/employee-changes.ts'
import { combineResults, Loadable } from '../../components/Loadable.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { formatDay } from '../../format/dates.ts'
import { formatInteger } from '../../format/numbers.ts'
import { Icon } from '../../kit/Icon.tsx'
import { Section } from '../../kit/Section.tsx'
import { Table } from '../../kit/Table.tsx'
import { useList } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import styles from './Movements.module.css'
import type { Days } from './movements.ts'

interface NewestChangesProps {
  readonly fields: readonly TrackedField[]
  readonly days: Days
}

const shown = 8

/** The newest changes of the period, with the people whom they are about. */
export const NewestChanges = ({ fields, days }: NewestChangesProps) => {
  const query = {
    resource: 'employees',
    field: fields,
    on_from: days.from,
    on_to: days.to,
    sort: ['-on', '-id'],
  } as const
  const newest = useList('history', { ...query, limit: shown })
  const changes = newest.data?.data ?? []
  const names = useChangedNames(referredIds(changes, 'dept_id'), [
    ...new Set([...changes.map(({ record_id }) => record_id), ...referredIds(changes, 'manager_id')]),
  ])
  const both =
    newest.data === undefined || names.data === undefined ? undefined : { page: newest.data, names: names.data }
  const total = newest.data?.meta.total ?? 0
  return total === 0 && newest.error === null ? undefined : (
    <Section
      title="Newest"
      className="apart"
      aside={
        <Link className={`link ${styles.all}`} {...dataLocation(listPath('history', query))}>
          All {formatInteger(total)}
        </Link>
      }
    >
      <Loadable result={combineResults(both, [newest, names])} asked="the newest changes">
        {({ page, names: known }) => (
          <Table
            className={styles.newest}
            isFlush
            hasLinesOnPhones
            rows={page.data}
            rowKey={({ id }) => id}
            columns={[
              { title: 'Day', cellClassName: styles.day, cell: ({ on }) => formatDay(on) },
              {
                title: 'Person',
                isRowHead: true,
                cell: ({ record_id: id }) => (
                  <PersonName person={known.people.get(id) ?? { id, first_name: null, last_name: null }} />
                ),
              },
              { title: 'What', cell: ({ field }) => changeTitle([{ field: field as TrackedField }]) },
              {
                key: 'values',
                title: (
                  <>
                    From <Arrow /> to
                  </>
                ),
                cellClassName: styles.values,
                cell: ({ field, old, new: value }) => (
                  <>
                    <ChangedValue field={field as TrackedField} value={old} names={known} /> <Arrow />{' '}
                    <ChangedValue field={field as TrackedField} value={value} names={known} />
                  </>
                ),
              },
            ]}
          />
        )}
      </Loadable>
    </Section>
  )
}

const Arrow = () => (
  <>
    <Icon of={ArrowRight} size={12} />
    <span className="visually-hidden">to</span>
  </>
)
