import { lazy, Suspense } from 'react'
import { formatDay } from '../format/dates.ts'
import { Button } from '../kit/Button.tsx'
import { Popover } from '../kit/Popover.tsx'
import { useServiceInfo } from '../service/queries.ts'
import { useNewestDay } from './frame-queries.ts'
import styles from './Navigation.module.css'
import { NavigationLink } from './NavigationLink.tsx'
import type { PlainPath } from './screens.ts'
import { mainScreens, moreScreens, screenAt, tabScreens, tabsOf } from './screens.ts'
import { useOpenPlace } from './use-open-place.ts'

/** The declarations of the resources are loaded with the explorer. */
const ResourceNavigation = lazy(async () => ({
  default: (await import('../screens/data/ResourceNavigation.tsx')).ResourceNavigation,
}))

/** A gap separates the screens about the data from those about the company. */
const firstDataScreen = mainScreens.find(({ isAboutData }) => isAboutData === true)?.path

export const Rail = () => {
  const { main, tab, resource } = useOpenPlace()
  return (
    <nav className={styles.rail} aria-label="Screens">
      <ul>
        {mainScreens.map(({ path: to, label }) => (
          <li key={to} className={to === firstDataScreen ? styles.gap : undefined}>
            <NavigationLink className={styles.link} to={to} mark={to === main ? markOf(tab ?? resource) : undefined}>
              {label}
            </NavigationLink>
            {to === main ? <SubNavigation of={to} className={styles.sub} /> : undefined}
            {to === '/data' && to === main ? (
              <Suspense>
                <ResourceNavigation className={styles.sub} linkClassName={styles.link} open={resource} />
              </Suspense>
            ) : undefined}
          </li>
        ))}
      </ul>
      <Foot />
    </nav>
  )
}

const markOf = (entryBelow: string | undefined): 'page' | 'section' => (entryBelow === undefined ? 'page' : 'section')

interface SubNavigationProps {
  readonly of: PlainPath
  readonly className: string | undefined
}

/** Nothing if the screen has no tabs. */
const SubNavigation = ({ of: main, className }: SubNavigationProps) => {
  const open = useOpenPlace()
  const tabs = tabsOf(main)
  return tabs.length === 0 ? undefined : (
    <ul className={className}>
      {tabs.map(({ path: to, label, tab }) => (
        <li key={to}>
          <NavigationLink className={styles.link} to={to} mark={to === open.tab ? 'page' : undefined}>
            {tab ?? label}
          </NavigationLink>
        </li>
      ))}
    </ul>
  )
}

/** On phones: the screens below the open one, as tabs on top of it. */
export const PhoneSubTabs = () => {
  const { main, tab } = useOpenPlace()
  return main === undefined || tab === undefined ? undefined : (
    <nav className={styles.subTabs} aria-label={screenAt(main)?.label}>
      <SubNavigation of={main} className={styles.subTabList} />
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
  const { main, tab } = useOpenPlace()
  const current = moreScreens.find(({ path }) => path === main)
  const markFor = (to: PlainPath) => (to === main ? markOf(tab) : undefined)
  return (
    <nav className={styles.phone} aria-label="Screens">
      {tabScreens.map(({ path: to, label }) => (
        <NavigationLink key={to} className={styles.tab} to={to} mark={markFor(to)}>
          {label}
        </NavigationLink>
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
                  <NavigationLink className={styles.moreLink} to={to} mark={markFor(to)} onClick={close}>
                    {label}
                  </NavigationLink>
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
