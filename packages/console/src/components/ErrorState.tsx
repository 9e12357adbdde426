import { MusterError } from '@muster/client'
import { useEffect, useEffectEvent, useState } from 'react'
import { openDialog } from '../frame/dialogs.ts'
import { Button, ButtonRow } from '../kit/Button.tsx'
import { EmptyState, StateFacts } from '../kit/EmptyState.tsx'
import { useSession } from '../service/session.tsx'

interface ErrorStateProps {
  readonly error: Error
  readonly asked: string
  readonly retry: () => void
}

/** Says what was asked for, what the service responded, and when the next attempt is made. */
export const ErrorState = ({ error, asked, retry }: ErrorStateProps) => {
  const { token } = useSession()
  const { title, explanation } = describe(error, token !== undefined)
  const seconds = useCountdown(error, retry)
  return (
    <EmptyState title={title} isAlert>
      <p>
        The console asked for {asked}. {explanation}
      </p>
      {error instanceof MusterError ? (
        <StateFacts>
          <dt>Code</dt>
          <dd>
            <code>{error.status === 0 ? error.code : `${error.status} ${error.code}`}</code>
          </dd>
          {error.requestId === null ? undefined : (
            <>
              <dt>Request</dt>
              <dd>
                <code>{error.requestId}</code>
              </dd>
            </>
          )}
        </StateFacts>
      ) : undefined}
      <ButtonRow>
        {isUnauthorized(error) ? (
          <Button kind="main" onPress={() => openDialog('token')}>
            {token === undefined ? 'Enter a token' : 'Enter another token'}
          </Button>
        ) : undefined}
        <Button onPress={retry}>Try again</Button>
        {seconds === undefined ? undefined : <span>or wait: the next attempt is in {seconds} s</span>}
      </ButtonRow>
    </EmptyState>
  )
}

const isUnauthorized = (error: Error): boolean => error instanceof MusterError && error.code === 'unauthorized'

const describe = (error: Error, hasToken: boolean): { readonly title: string; readonly explanation: string } => {
  if (!(error instanceof MusterError)) return { title: 'Something went wrong', explanation: error.message }
  switch (error.code) {
    case 'network_error':
      return {
        title: navigator.onLine ? 'The service cannot be reached' : 'You are offline',
        explanation: navigator.onLine ? 'There was no response.' : 'Connect to the network, then try again.',
      }
    case 'database_unavailable':
      return { title: 'The database is not available', explanation: 'The service is up and tries to reach it.' }
    case 'query_timeout':
      return { title: 'This takes too long', explanation: 'Choose a shorter period, or fewer records.' }
    case 'overloaded':
    case 'rate_limited':
      return { title: 'The service is busy', explanation: 'It asks you to wait a moment.' }
    case 'unauthorized':
      return hasToken
        ? { title: 'The token is not accepted', explanation: 'It may have been replaced by another one.' }
        : { title: 'A token is needed', explanation: 'This service shows nothing without one.' }
    case 'not_found':
      return { title: 'There is no such record', explanation: 'It may have been deleted.' }
    default:
      return { title: 'The request was not accepted', explanation: error.message }
  }
}

/** Counts down to the next attempt after each error, makes it, and returns the seconds that remain. */
const useCountdown = (error: Error, action: () => void): number | undefined => {
  const [remainingMs, setRemainingMs] = useState(() => retryAfterMs(error))
  const onEnd = useEffectEvent(action)
  useEffect(() => {
    const delayMs = retryAfterMs(error)
    setRemainingMs(delayMs)
    if (delayMs === undefined) return
    const deadline = Date.now() + delayMs
    const timer = setInterval(() => {
      const leftMs = deadline - Date.now()
      setRemainingMs(leftMs > 0 ? leftMs : undefined)
      if (leftMs > 0) return
      clearInterval(timer)
      onEnd()
    }, 250)
    return () => clearInterval(timer)
  }, [error])
  return remainingMs === undefined ? undefined : Math.ceil(remainingMs / 1_000)
}

const retryAfterMs = (error: Error): number | undefined =>
  error instanceof MusterError ? error.retryAfterMs : undefined
