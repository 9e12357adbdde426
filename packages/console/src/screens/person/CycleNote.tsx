import { Fragment } from 'react'
import { PersonName } from '../../components/PersonName.tsx'
import type { useChain } from './use-chain.ts'

/** Names the people whose managers lead back to themselves. The org chart cuts such a chain. */
export const CycleNote = ({ cycle }: Pick<ReturnType<typeof useChain>, 'cycle'>) => {
  const [first] = cycle
  if (first === undefined) return undefined
  return (
    <p className="note">
      {cycle.length === 1
        ? 'The list of managers ends here, because this person is recorded as their own manager: '
        : 'The list of managers ends here, because these people report to each other in a cycle: '}
      {cycle.map((employee, index) => (
        <Fragment key={employee.id}>
          {index === 0 ? '' : ', '}
          <PersonName person={employee} />
        </Fragment>
      ))}
      . Correct their <code>manager_id</code>.
    </p>
  )
}
