import type { CareerSiteVisibility } from '@muster/client'
import { useSearch } from '@tanstack/react-router'
import { Badge } from '../../components/Badge.tsx'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { Figure } from '../../components/Figure.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { PageLink } from '../../components/PageLink.tsx'
import { plural } from '../../format/labels.ts'
import { questionOf, titleOf } from '../../frame/screens.ts'
import { ButtonLink } from '../../kit/Button.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { Pager } from '../../kit/Pager.tsx'
import { Section } from '../../kit/Section.tsx'
import { parseOffset } from '../../search-parameters.ts'
import { careerSitesQuery, useRequest } from '../../service/queries.ts'
import { careerVisibilityPath, listPath, pageUrl } from '../../service/requests.ts'
import { useSession } from '../../service/session.tsx'
import styles from './CareerSites.module.css'
import { CareerSitesResult, isNotFound } from './CareerSitesResult.tsx'
import { SiteColors } from './SiteColors.tsx'
import { SiteLocales } from './SiteLocales.tsx'
import { sitesPerPage } from './site-pages.ts'

export const CareerSitesScreen = () => {
  const offset = parseOffset(useSearch({ from: '/hiring/career-sites' }).offset)
  const query = { limit: sitesPerPage, offset }
  const sites = useRequest(careerSitesQuery(useSession().client, query))
  return (
    <>
      <PageHead
        title={titleOf('/hiring/career-sites')}
        question={questionOf('/hiring/career-sites')}
        how={
          <HowCounted
            title="Career sites"
            path={careerVisibilityPath(undefined, query)}
            definition={
              <>
                Postings are job distributions. “Published” have the status <code>published</code> and a job with the
                status <code>open</code>; their period may begin later or have ended. “Job not open” have the status{' '}
                <code>published</code>, but their job is not open. “Closed” have the status <code>closed</code> or{' '}
                <code>archived</code>, and all others are drafts. Contrast is that of the colour with the background of
                the page, by WCAG 2.2.
              </>
            }
          />
        }
        tools={<CopyLinkButton />}
      />
      <CareerSitesResult isOff={isNotFound(sites.error)} result={sites} asked="the career sites">
        {({ data, meta }) =>
          data.length === 0 ? (
            <EmptyState title="No career site">
              <p>Career sites are created with the API or by an import, and jobs are distributed to them.</p>
            </EmptyState>
          ) : (
            <>
              <p role="status" className={styles.total}>
                <Figure
                  name="careers.sites"
                  value={meta.total}
                  link={listPath('career-sites')}
                  what={plural(meta.total, 'career site', 'career sites')}
                />{' '}
                {plural(meta.total, 'career site', 'career sites')}
              </p>
              {data.map((site) => (
                <Site key={site.id} site={site} minContrast={meta.min_contrast} />
              ))}
              <Pager total={meta.total} offset={offset} shown={data.length} size={sitesPerPage} />
            </>
          )
        }
      </CareerSitesResult>
    </>
  )
}

interface SiteProps {
  readonly site: CareerSiteVisibility
  readonly minContrast: number
}

const Site = ({ site, minContrast }: SiteProps) => (
  <Section title={<bdi>{site.name}</bdi>} remark={<SiteAddress site={site} />} aside={<SiteActions site={site} />}>
    <div className="grid">
      <div className="span-8">
        <SiteLocales site={site} />
      </div>
      <div className="span-4">
        <SiteColors colors={site.colors} minContrast={minContrast} />
      </div>
    </div>
  </Section>
)

/** Where the site is: at its own domain or on this host. */
const SiteAddress = ({ site }: { readonly site: CareerSiteVisibility }) => (
  <span className={styles.address}>
    {site.path === null ? (
      <Badge kind="warning">Inactive</Badge>
    ) : (
      <PageLink href={pageUrl(site.path)}>
        <bdi>{site.path}</bdi>
      </PageLink>
    )}
    {site.custom_domain === null || site.path === null ? undefined : (
      <PageLink href={`https://${site.custom_domain}/`}>
        <bdi>{site.custom_domain}</bdi>
      </PageLink>
    )}
  </span>
)

const SiteActions = ({ site }: { readonly site: CareerSiteVisibility }) => (
  <ButtonLink
    to="/hiring/career-sites/$id"
    params={{ id: String(site.id) }}
    aria-label={`Search engines: ${site.name}`}
  >
    Search engines
  </ButtonLink>
)
