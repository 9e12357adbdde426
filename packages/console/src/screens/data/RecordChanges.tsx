import type { Resource } from '@muster/model'
import { Loadable } from '../../components/Loadable.tsx'
import { useAnyHistory } from '../../service/queries.ts'
import styles from './RecordDrawer.module.css'
import { Null } from './Value.tsx'

interface RecordChangesProps {
  readonly resource: Resource
  readonly id: number
}

/** The recorded changes of a record, newest first. */
export const RecordChanges = ({ resource, id }: RecordChangesProps) => (
  <Loadable result={useAnyHistory(resource.path, id)} asked={`the changes of this ${resource.title}`}>
    {({ data, meta }) => {
      const changes = data.filter((entry) => entry.id !== null).toReversed()
      return (
        <>
          <ul className={styles.lines}>
            {changes.map((change) => (
              <li key={change.id}>
                <span className="muted number">{change.on}</span> <code>{change.field}</code>{' '}
                <bdi>{change.old ?? <Null />}</bdi> → <bdi>{change.new ?? <Null />}</bdi>
              </li>
            ))}
          </ul>
          <p className="note">
            {changes.length === 0 ? 'None since' : 'Complete since'} {meta.history_from}.
          </p>
        </>
      )
    }}
  </Loadable>
)
