import { Link, useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import overlayStyles from '../components/Overlay.module.css'
import { formatDay } from '../format/dates.ts'
import { useServiceInfo } from '../service/queries.ts'
import { useNewestDay } from './frame-queries.ts'
import styles from './Navigation.module.css'
import { firstDataScreen, moreScreens, screens, subScreens, tabScreens } from './screens.ts'

/** The declarations of the resources are loaded with the explorer. */
const ResourceNavigation = lazy(async () => ({
  default: (await import('../screens/data/ResourceNavigation.tsx')).ResourceNavigation,
}))

export const Rail = () => {
  const { pathname } = useLocation()
  return (
    <nav className={styles.rail} aria-label="Screens">
      <ul>
        {screens.map(({ to, label }) => (
          <li key={to} className={to === firstDataScreen ? styles.gap : undefined}>
            <Link className={styles.link} to={to} activeProps={{ 'aria-current': 'page' }}>
              {label}
            </Link>
            {to in subScreens && pathname.startsWith(to) ? (
              <SubNavigation of={to as keyof typeof subScreens} className={styles.sub} />
            ) : undefined}
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
  readonly of: keyof typeof subScreens
  readonly className: string | undefined
}

const SubNavigation = ({ of: parent, className }: SubNavigationProps) => {
  const { pathname } = useLocation()
  return (
    <ul className={className}>
      {subScreens[parent].map(({ to, label }) => (
        <li key={to}>
          <Link
            className={styles.link}
            to={to}
            activeOptions={{ exact: to === parent, includeSearch: false }}
            // One opening belongs to the openings, which have the path of the parent.
            aria-current={to === parent && pathname.startsWith('/hiring/openings/') ? 'page' : undefined}
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** On phones: the screens below the open one, as tabs on top of it. */
export const PhoneSubTabs = () => {
  const { pathname } = useLocation()
  const parent = screens.find(({ to }) => to in subScreens && pathname.startsWith(to))
  return parent === undefined ? undefined : (
    <nav className={styles.subTabs} aria-label={parent.label}>
      <SubNavigation of={parent.to as keyof typeof subScreens} className={styles.subTabList} />
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
  const current = moreScreens.find(({ to }) => pathname.startsWith(to))
  return (
    <nav className={styles.phone} aria-label="Screens">
      {tabScreens.map(({ to, label }) => (
        <Link key={to} className={styles.tab} to={to} activeProps={{ 'aria-current': 'page' }}>
          {label}
        </Link>
      ))}
      <DialogTrigger>
        <Button className={styles.tab} data-current={current !== undefined || undefined}>
          {current?.label ?? 'More'}
          {current === undefined ? undefined : <span className="visually-hidden">, more screens</span>}
        </Button>
        <Popover className={overlayStyles.popover} placement="top end" offset={0}>
          <Dialog className={styles.more} aria-label="More screens">
            {({ close }) => (
              <>
                <ul>
                  {moreScreens.map(({ to, label }) => (
                    <li key={to}>
                      <Link
                        className={styles.moreLink}
                        to={to}
                        activeProps={{ 'aria-current': 'page' }}
                        onClick={close}
                      >
                        {label}
                      </Link>
                    </li>
                  ))}
                </ul>
                <Foot />
              </>
            )}
          </Dialog>
        </Popover>
      </DialogTrigger>
    </nav>
  )
}
