import type { Resources } from '@muster/client'

/** An employee with the related records. */
export type FullPerson = Resources['employees']['record'] & {
  readonly department: Resources['departments']['record'] | null
  readonly manager: Resources['employees']['record'] | null
  readonly candidate: Resources['candidates']['record'] | null
}
