import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { formatDay } from '../format/dates.ts'
import { Button } from '../kit/Button.tsx'
import { useServiceInfo } from '../service/queries.ts'
import { useSession } from '../service/session.tsx'
import { useAsOf, useIsDated, useSetAsOf } from '../service/use-as-of.ts'
import { isOutdated } from './data-age.ts'
import { openDialog } from './dialogs.ts'
import { useMayAsk, useNewestDay } from './frame-queries.ts'
import { Notice } from './Notice.tsx'
import styles from './Notices.module.css'

/**
 * What readers must know about all figures. The notices stand below the screen and stay in view: they arrive after the
 * screen, and must not push it down.
 */
export const Notices = () => (
  <div className={styles.notices} aria-live="polite">
    <OfflineNotice />
    <PublicNotice />
    <SessionNotice />
    <OutdatedNotice />
    <ChangesAfterFirstPicture />
  </div>
)

const ChangesNotice = lazy(async () => ({ default: (await import('./ChangesNotice.tsx')).ChangesNotice }))

const ChangesAfterFirstPicture = () =>
  useMayAsk() ? (
    <Suspense>
      <ChangesNotice />
    </Suspense>
  ) : undefined

const OfflineNotice = () => {
  const isOnline = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
  return isOnline ? undefined : (
    <Notice kind="error">
      <b>You are offline.</b> What you see may be outdated. It is loaded again when you are back.
    </Notice>
  )
}

const subscribeToNetwork = (listener: () => void): (() => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

const PublicNotice = () => {
  const { data } = useServiceInfo()
  return data?.reads === 'public' && data.real_email_domains ? (
    <Notice kind="error">
      <b>Public reads of real data.</b> Everybody who can reach this service can read names, pay and e-mail addresses of
      real domains.{' '}
      <span className="only-wide">
        Set <code>MUSTER_READS</code> to <code>redacted</code> or <code>token</code> to change that.
      </span>
    </Notice>
  ) : undefined
}

const endTexts = {
  idle: 'Signed out after 30 minutes of inactivity.',
  refused: 'Signed out: the service no longer accepts the token.',
}

const SessionNotice = () => {
  const { ended, number } = useSession()
  const [dismissed, setDismissed] = useState<number>()
  return ended === undefined || dismissed === number ? undefined : (
    <Notice
      action={<Button onPress={() => openDialog('token')}>Enter a token</Button>}
      dismiss={() => setDismissed(number)}
    >
      {endTexts[ended]}
    </Notice>
  )
}

const OutdatedNotice = () => {
  const asOf = useAsOf()
  const isDated = useIsDated()
  const setAsOf = useSetAsOf()
  const newestDay = useNewestDay()
  const [dismissed, setDismissed] = useState<string>()
  if (typeof newestDay !== 'string' || !isOutdated(newestDay, asOf) || dismissed === asOf) return undefined
  return (
    <Notice
      action={isDated ? <Button onPress={() => setAsOf(newestDay)}>Show that day</Button> : undefined}
      dismiss={() => setDismissed(asOf)}
    >
      <b>Data reaches {formatDay(newestDay)}.</b> Figures of {formatDay(asOf)} may miss what has happened since then.
    </Notice>
  )
}
