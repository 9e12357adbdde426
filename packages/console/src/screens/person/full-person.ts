import type { Records } from '@muster/client'

/** An employee with the related records. */
export type FullPerson = Records['employees'] & {
  readonly department: Records['departments'] | null
  readonly manager: Records['employees'] | null
  readonly candidate: Records['candidates'] | null
}
