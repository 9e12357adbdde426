import { resources } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { formatInteger } from '../../format/numbers.ts'
import { useIsAfterFirstPicture } from '../../frame/use-is-after-first-picture.ts'
import styles from './ResourceNavigation.module.css'
import { resourceTitle } from './record-label.ts'
import { useTotals } from './requests.ts'

const allLists = resources.map((resource) => ({ resource, parameters: {} }))

interface ResourceNavigationProps {
  readonly className: string | undefined
  readonly linkClassName: string | undefined
}

/** The resources in the navigation, with the number of their records. */
export const ResourceNavigation = ({ className, linkClassName }: ResourceNavigationProps) => {
  const totals = useTotals(allLists, { enabled: useIsAfterFirstPicture() })
  return (
    <ul className={className}>
      {resources.map((resource, index) => {
        const total = totals[index]
        return (
          <li key={resource.path}>
            <Link
              className={linkClassName}
              to="/data/$resource"
              params={{ resource: resource.path }}
              activeOptions={{ includeSearch: false }}
              activeProps={{ 'aria-current': 'page' }}
            >
              <span>{resourceTitle(resource)}</span>
              {total === undefined ? undefined : (
                <span className={styles.total}>
                  {formatInteger(total)}
                  <span className="visually-hidden"> records</span>
                </span>
              )}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
