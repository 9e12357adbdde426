import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import type { Result } from '../service/queries.ts'
import { ErrorState } from './ErrorState.tsx'
import styles from './Loadable.module.css'

/** What is needed of a result. Several results can be shown as one, see `combineResults`. */
export type LoadableResult<T> = Pick<Result<T>, 'data' | 'error' | 'isFetching' | 'isPlaceholderData'> & {
  readonly refetch: () => unknown
}

interface LoadableProps<T> {
  readonly result: LoadableResult<T>
  /** What the request asks for, as in `the people of this list`. */
  readonly asked: string
  readonly children: (data: T) => ReactNode
}

/**
 * Shows the result of a request. While it is loading, nothing changes for 200 ms; then a thin line appears, and the
 * earlier content is dimmed.
 */
export const Loadable = <T,>({ result, asked, children }: LoadableProps<T>) => {
  const { data, error, isFetching, isPlaceholderData, refetch } = result
  const isWaiting = isFetching && (data === undefined || isPlaceholderData)
  const isSlow = useIsSlow(isWaiting)
  if (error !== null && !isWaiting) return <ErrorState error={error} asked={asked} retry={() => void refetch()} />
  return (
    <div className={styles.loadable} aria-busy={isWaiting}>
      {isSlow ? <div className={styles.progress} role="progressbar" aria-label={`Loading ${asked}`} /> : undefined}
      {data === undefined ? undefined : (
        <div className={isSlow ? styles.stale : undefined} inert={isSlow}>
          {children(data)}
        </div>
      )}
    </div>
  )
}

/** One result for content that needs several requests: `data` is what they give together. */
export const combineResults = <T,>(
  data: T | undefined,
  results: readonly LoadableResult<unknown>[],
): LoadableResult<T> => ({
  data,
  error: results.find(({ error }) => error !== null)?.error ?? null,
  isFetching: results.some(({ isFetching }) => isFetching),
  isPlaceholderData: results.some(({ isPlaceholderData }) => isPlaceholderData),
  refetch: () => Promise.all(results.map(({ refetch }) => refetch())),
})

const slowMs = 200

const useIsSlow = (isWaiting: boolean): boolean => {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    if (!isWaiting) return setIsSlow(false)
    const timer = setTimeout(() => setIsSlow(true), slowMs)
    return () => clearTimeout(timer)
  }, [isWaiting])
  return isWaiting && isSlow
}
