import type { Employee } from '@muster/client'
import { Loadable } from '../../components/Loadable.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { Withheld } from '../../components/Withheld.tsx'
import { formatDay } from '../../format/dates.ts'
import { DotList, DotListItem } from '../../kit/DotList.tsx'
import { Section } from '../../kit/Section.tsx'
import { useList } from '../../service/queries.ts'
import { hiringPath } from '../person/hiring-path.ts'
import type { CandidateApplication } from './Applications.tsx'
import styles from './Employment.module.css'

interface EmploymentProps {
  readonly candidateId: number
  /** The newest first. */
  readonly applications: readonly CandidateApplication[]
  readonly asOf: string
  readonly isWithheld: boolean
}

/** The employee that the candidate became. Nothing if there is none. */
export const Employment = ({ candidateId, ...props }: EmploymentProps) => {
  const employees = useList('employees', { candidate_id: candidateId, limit: 5 })
  return employees.data?.data.length === 0 ? undefined : (
    <Loadable result={employees} asked="the employee that this candidate became">
      {({ data }) => data.map((employee) => <Hired key={employee.id} employee={employee} {...props} />)}
    </Loadable>
  )
}

interface HiredProps extends Omit<EmploymentProps, 'candidateId'> {
  readonly employee: Employee
}

const Hired = ({ employee, applications, asOf, isWithheld }: HiredProps) => (
  <Section title="Employee">
    <p className={styles.facts}>
      <PersonName person={employee} />
      <span>{[employee.designation, employee.branch].filter(Boolean).join(' · ')}</span>
    </p>
    <DotList size="large">
      {hiringPath(employee, null, applications.toReversed(), asOf, isWithheld)
        .filter(({ key }) => !key.startsWith('application-'))
        .toReversed()
        .map(({ key, day, title, detail, isDayWithheld }, index) => (
          <DotListItem key={key} mark={index === 0 ? 'accent' : undefined}>
            <span className={styles.step}>
              {title}
              <span className={styles.day}>
                {day === null ? isDayWithheld ? <Withheld /> : 'no date' : formatDay(day)}
              </span>
            </span>
            {detail === '' ? undefined : (
              <span className={styles.detail} data-figure={`candidate.employee.${employee.id}.${key}`}>
                {detail}
              </span>
            )}
          </DotListItem>
        ))}
    </DotList>
  </Section>
)
