import type { Resource } from '@muster/model'
import { listedResources, resourceAt } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { ErrorState } from '../../components/ErrorState.tsx'
import { Figure } from '../../components/Figure.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { questionOf } from '../../frame/screens.ts'
import { useIsAfterFirstPicture } from '../../frame/use-is-after-first-picture.ts'
import { Section } from '../../kit/Section.tsx'
import { listPath } from '../../service/requests.ts'
import styles from './ResourcesScreen.module.css'
import { resourceTitle } from './record-label.ts'
import { useTotals, useTotalsError } from './requests.ts'

const allLists = listedResources.map((resource) => ({ resource, parameters: {} }))

/** All resources by area. They are declared, so the screen appears at once; the totals follow. */
export const ResourcesScreen = () => {
  const enabled = useIsAfterFirstPicture()
  const totals = useTotals(allLists, { enabled })
  const { error, retry } = useTotalsError(allLists, { enabled })
  const areas = Map.groupBy(listedResources, ({ area }) => area)
  return (
    <>
      <PageHead
        title="Data"
        question={questionOf('/data')}
        how={
          <HowCounted
            title="Data"
            definition="The exact number of records of each resource, without any filter."
            path={listPath((listedResources[0] as Resource).path, { limit: 1 })}
          />
        }
      />
      {error === undefined ? undefined : <ErrorState error={error} asked="the number of records" retry={retry} />}
      {[...areas].map(([area, group]) => (
        <Section key={area} title={area}>
          <ul>
            {group.map((resource) => (
              <ResourceLine key={resource.path} resource={resource} total={totals[listedResources.indexOf(resource)]} />
            ))}
          </ul>
        </Section>
      ))}
    </>
  )
}

interface ResourceLineProps {
  readonly resource: Resource
  readonly total: number | undefined
}

const ResourceLine = ({ resource, total }: ResourceLineProps) => (
  <li className={styles.resource}>
    <Link className={styles.name} to="/data/$resource" params={{ resource: resource.path }}>
      {resourceTitle(resource)}
    </Link>
    <span className={styles.total}>
      {total === undefined ? undefined : (
        <Figure
          name={`data.total.${resource.path}`}
          value={total}
          link={listPath(resource.path)}
          what={`records of ${resourceTitle(resource)}`}
        />
      )}
    </span>
    <span className={styles.about}>{resource.about}</span>
    <span className={styles.references}>
      {resource.allFields.length} fields
      {resource.relations.length === 0 ? undefined : (
        <>
          {' · refers to '}
          {[...new Set(resource.relations.map((relation) => relation.resource))].map((path, index) => (
            <span key={path}>
              {index === 0 ? '' : ', '}
              <Link className="link" to="/data/$resource" params={{ resource: path }}>
                {resourceTitle(resourceAt(path)).toLowerCase()}
              </Link>
            </span>
          ))}
        </>
      )}
    </span>
  </li>
)
