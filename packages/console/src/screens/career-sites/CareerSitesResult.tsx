import { MusterError } from '@muster/client'
import type { ReactNode } from 'react'
import type { LoadableResult } from '../../components/Loadable.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'

interface CareerSitesResultProps<T> {
  /** Whether career sites are off in this deployment. */
  readonly isOff: boolean
  readonly result: LoadableResult<T>
  readonly asked: string
  readonly children: (data: T) => ReactNode
}

/** Shows the result, or how to turn career sites on. */
export const CareerSitesResult = <T,>({ isOff, result, asked, children }: CareerSitesResultProps<T>) =>
  isOff ? (
    <EmptyState title="Career sites are off">
      <p>
        This service shows no jobs to the public. To turn career sites on, set <code>MUSTER_CAREER_SITES=on</code> and
        restart the service. Each active career site is then at <code>/careers/</code> followed by its slug.
      </p>
    </EmptyState>
  ) : (
    <Loadable result={result} asked={asked}>
      {children}
    </Loadable>
  )

export const isNotFound = (error: Error | null): boolean => error instanceof MusterError && error.code === 'not_found'
