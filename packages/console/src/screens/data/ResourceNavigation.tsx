import { listedResources } from '@muster/model'
import { formatInteger } from '../../format/numbers.ts'
import { NavigationLink } from '../../frame/NavigationLink.tsx'
import { useIsAfterFirstPicture } from '../../frame/use-is-after-first-picture.ts'
import styles from './ResourceNavigation.module.css'
import { resourceTitle } from './record-label.ts'
import { useTotals } from './requests.ts'

const allLists = listedResources.map((resource) => ({ resource, parameters: {} }))

interface ResourceNavigationProps {
  readonly className: string | undefined
  readonly linkClassName: string | undefined
  /** The path of the open resource. */
  readonly open: string | undefined
}

/** The resources in the navigation, with the number of their records. */
export const ResourceNavigation = ({ className, linkClassName, open }: ResourceNavigationProps) => {
  const totals = useTotals(allLists, { enabled: useIsAfterFirstPicture() })
  return (
    <ul className={className}>
      {listedResources.map((resource, index) => {
        const total = totals[index]
        return (
          <li key={resource.path}>
            <NavigationLink
              className={linkClassName}
              to="/data/$resource"
              params={{ resource: resource.path }}
              mark={resource.path === open ? 'page' : undefined}
            >
              <span>{resourceTitle(resource)}</span>
              {total === undefined ? undefined : (
                <span className={styles.total}>
                  {formatInteger(total)}
                  <span className="visually-hidden"> records</span>
                </span>
              )}
            </NavigationLink>
          </li>
        )
      })}
    </ul>
  )
}
