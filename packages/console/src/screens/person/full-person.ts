import type { Candidate, Department, Employee } from '@muster/client'

/** An employee with the related records. */
export type FullPerson = Employee & {
  readonly department: Department | null
  readonly manager: Employee | null
  readonly candidate: Candidate | null
}
