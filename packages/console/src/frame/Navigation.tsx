import { Link, useLocation, useMatches } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { formatDay } from '../format/dates.ts'
import { Button } from '../kit/Button.tsx'
import { Popover } from '../kit/Popover.tsx'
import { useServiceInfo } from '../service/queries.ts'
import { useNewestDay } from './frame-queries.ts'
import styles from './Navigation.module.css'
import type { PlainPath } from './screens.ts'
import { mainScreens, moreScreens, screenAt, tabScreens, tabsOf } from './screens.ts'

/** The declarations of the resources are loaded with the explorer. */
const ResourceNavigation = lazy(async () => ({
  default: (await import('../screens/data/ResourceNavigation.tsx')).ResourceNavigation,
}))

/** A gap separates the screens about the data from those about the company. */
const firstDataScreen = mainScreens.find(({ isAboutData }) => isAboutData === true)?.path

export const Rail = () => {
  const { pathname } = useLocation()
  return (
    <nav className={styles.rail} aria-label="Screens">
      <ul>
        {mainScreens.map(({ path: to, label }) => (
          <li key={to} className={to === firstDataScreen ? styles.gap : undefined}>
            <Link className={styles.link} to={to} activeProps={{ 'aria-current': 'page' }}>
              {label}
            </Link>
            {pathname.startsWith(to) ? <SubNavigation of={to} className={styles.sub} /> : undefined}
            {to === '/data' && pathname.startsWith(to) ? (
              <Suspense>
                <ResourceNavigation className={styles.sub} linkClassName={styles.link} />
              </Suspense>
            ) : undefined}
          </li>
        ))}
      </ul>
      <Foot />
    </nav>
  )
}

interface SubNavigationProps {
  readonly of: PlainPath
  readonly className: string | undefined
}

/** Nothing if the screen has no tabs. */
const SubNavigation = ({ of: parent, className }: SubNavigationProps) => {
  const open = useMatches({ select: (matches) => screenAt(matches.at(-1)?.fullPath) })
  const tabs = tabsOf(parent)
  return tabs.length === 0 ? undefined : (
    <ul className={className}>
      {tabs.map(({ path: to, label, tab }) => (
        <li key={to}>
          <Link
            className={styles.link}
            to={to}
            activeOptions={{ exact: to === parent, includeSearch: false }}
            // One opening belongs to the tab of the openings, which has the path of the parent.
            aria-current={
              to === parent && open?.parent === to && tabs.every(({ path }) => path !== open.path) ? 'page' : undefined
            }
          >
            {tab ?? label}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** On phones: the screens below the open one, as tabs on top of it. */
export const PhoneSubTabs = () => {
  const { pathname } = useLocation()
  const parent = mainScreens.find(({ path }) => pathname.startsWith(path))
  return parent === undefined || tabsOf(parent.path).length === 0 ? undefined : (
    <nav className={styles.subTabs} aria-label={parent.label}>
      <SubNavigation of={parent.path} className={styles.subTabList} />
    </nav>
  )
}

/** Up to which day the data reaches, and the release. */
const Foot = () => {
  const newestDay = useNewestDay()
  const { data } = useServiceInfo()
  return (
    <p className={styles.foot}>
      <span>{typeof newestDay === 'string' ? `Data reaches ${formatDay(newestDay)}` : undefined}</span>
      <span>{data === undefined ? undefined : `Release ${data.version}`}</span>
    </p>
  )
}

/** On phones: the first screens, and a sheet with the others. */
export const PhoneTabs = () => {
  const { pathname } = useLocation()
  const current = moreScreens.find(({ path }) => pathname.startsWith(path))
  return (
    <nav className={styles.phone} aria-label="Screens">
      {tabScreens.map(({ path: to, label }) => (
        <Link key={to} className={styles.tab} to={to} activeProps={{ 'aria-current': 'page' }}>
          {label}
        </Link>
      ))}
      <Popover
        label="More screens"
        placement="top end"
        offset={0}
        padding="none"
        trigger={
          <Button kind="own" className={styles.tab} data-current={current !== undefined || undefined}>
            {current?.label ?? 'More'}
            {current === undefined ? undefined : <span className="visually-hidden">, more screens</span>}
          </Button>
        }
      >
        {(close) => (
          <div className={styles.more}>
            <ul>
              {moreScreens.map(({ path: to, label }) => (
                <li key={to}>
                  <Link className={styles.moreLink} to={to} activeProps={{ 'aria-current': 'page' }} onClick={close}>
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
            <Foot />
          </div>
        )}
      </Popover>
    </nav>
  )
}
