import { Outlet } from '@tanstack/react-router'
import { useRef } from 'react'
import { LocaleProvider } from '../kit/Locale.tsx'
import { useSession } from '../service/session.tsx'
import { Appearance } from './Appearance.tsx'
import { AsOf } from './AsOf.tsx'
import { Brand, PrintHead } from './Brand.tsx'
import { Dialogs } from './Dialogs.tsx'
import styles from './Frame.module.css'
import { useIsTokenNeeded } from './frame-queries.ts'
import { PhoneSubTabs, PhoneTabs, Rail } from './Navigation.tsx'
import { Notices } from './Notices.tsx'
import { ReadingMode } from './ReadingMode.tsx'
import { TokenNeeded } from './TokenNeeded.tsx'
import { KeysButton, TopBar } from './TopBar.tsx'
import { useKeys } from './use-keys.ts'
import { useScreenFocus } from './use-screen-focus.ts'
import { useTokenWatch } from './use-token-watch.ts'
import { useOriginRecorder } from './way-back.ts'

/** Everything around a screen. */
export const Frame = () => {
  const { number } = useSession()
  const isTokenNeeded = useIsTokenNeeded()
  const main = useRef<HTMLElement>(null)
  const title = useScreenFocus(main)
  useKeys()
  useOriginRecorder()
  useTokenWatch()
  return (
    // The texts of the console are English, so its calendars and numbers are too.
    <LocaleProvider locale="en-GB">
      <div className={styles.frame}>
        {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place of the page, like other skip links */}
        <a
          className={styles.skip}
          href="#main"
          onClick={(event) => {
            // The URL is the state of the screen; the link does not change it.
            event.preventDefault()
            main.current?.focus()
          }}
        >
          Skip to content
        </a>
        <header className={styles.header}>
          <Brand key={number} />
          <TopBar>
            <AsOf />
            <ReadingMode />
            <Appearance />
            <KeysButton />
          </TopBar>
        </header>
        <Rail />
        <main id="main" className={styles.main} tabIndex={-1} ref={main}>
          <PrintHead key={`head ${number}`} />
          <PhoneSubTabs />
          {isTokenNeeded ? <TokenNeeded /> : <Outlet key={`screen ${number}`} />}
        </main>
        <Notices />
        <PhoneTabs />
        <p className="visually-hidden" role="status">
          {title}
        </p>
        <Dialogs />
      </div>
    </LocaleProvider>
  )
}
