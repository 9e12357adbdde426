import { Fragment } from 'react'
import { PersonName } from '../../components/PersonName.tsx'
import type { useChain } from './chain.ts'

/** Names the people whose managers lead back to themselves. The org chart cuts such a chain. */
export const CycleNote = ({ cycle }: Pick<ReturnType<typeof useChain>, 'cycle'>) =>
  cycle.length === 0 ? undefined : (
    <p className="note">
      The chain is cut, because these managers lead back to themselves:{' '}
      {cycle.map((employee, index) => (
        <Fragment key={employee.id}>
          {index === 0 ? '' : ', '}
          <PersonName person={employee} />
        </Fragment>
      ))}
      . <code>manager_id</code> should be corrected.
    </p>
  )
