import type { HiddenPostingsPage } from '@muster/client'
import type { HiddenReason } from '@muster/model'
import { hiddenReasons } from '@muster/model'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Badge } from '../../components/Badge.tsx'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { Figure } from '../../components/Figure.tsx'
import { FilterSelect } from '../../components/FilterSelect.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { combineResults } from '../../components/Loadable.tsx'
import { NoSuchRecord } from '../../components/NoSuchRecord.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { PageLink } from '../../components/PageLink.tsx'
import { Stat, StatList } from '../../components/StatList.tsx'
import type { SearchOf } from '../../frame/screens.ts'
import { Section } from '../../kit/Section.tsx'
import { parseId, parseOffset } from '../../search-parameters.ts'
import { hiddenPostingsQuery, useRecord, useRequest } from '../../service/queries.ts'
import { careerVisibilityPath, listPath, pageUrl } from '../../service/requests.ts'
import { useSession } from '../../service/session.tsx'
import styles from './CareerSites.module.css'
import { CareerSitesResult, isNotFound } from './CareerSitesResult.tsx'
import { HiddenPostings } from './HiddenPostings.tsx'
import { Reasons } from './Reasons.tsx'
import { postingsPerPage } from './site-pages.ts'

const question = 'What keeps its openings from search engines?'

export const CareerSiteScreen = () => {
  const { id } = useParams({ from: '/hiring/career-sites/$id' })
  const siteId = parseId(id)
  if (siteId !== undefined) return <CareerSitePage id={siteId} />
  return (
    <>
      <PageHead title="Career site" question={question} />
      <NoSuchRecord name="career site" id={id}>
        <Link className="link" to="/hiring/career-sites">
          Go to Career sites
        </Link>
      </NoSuchRecord>
    </>
  )
}

const CareerSitePage = ({ id }: { readonly id: number }) => {
  const search = useSearch({ from: '/hiring/career-sites/$id' })
  const navigate = useNavigate({ from: '/hiring/career-sites/$id' })
  const { locale } = search
  const reason = hiddenReasons.find((each) => each === search.reason)
  const offset = parseOffset(search.offset)
  const query = { locale, reason, limit: postingsPerPage, offset }
  const site = useRecord('careerSites', id)
  const postings = useRequest(hiddenPostingsQuery(useSession().client, id, query))
  const name = site.data?.name ?? 'Career site'
  return (
    <>
      <PageHead
        above={
          <Link className={`link ${styles.above}`} to="/hiring/career-sites">
            Career sites
          </Link>
        }
        title={<bdi>{name}</bdi>}
        tabTitle={name}
        subtitle={postings.data === undefined ? undefined : <SitePath path={postings.data.meta.path} />}
        question={question}
        how={
          <HowCounted
            title="Search engines"
            path={careerVisibilityPath(id, { locale, reason })}
            definition={
              <>
                Search engines get a posting if it is visible on the career site and its page has complete{' '}
                <code>JobPosting</code> data: a title, a description, a date, a country and a way to apply. A posting
                that lacks several of these counts for each.
              </>
            }
          />
        }
        tools={<CopyLinkButton />}
      >
        <FilterSelect
          label="Locale"
          all="All locales"
          value={locale}
          options={postings.data?.meta.locales.map((each) => ({ id: each, label: each }))}
          onChange={(value) =>
            void navigate({
              search: (old: SearchOf<'/hiring/career-sites/$id'>) => ({ ...old, locale: value, offset: undefined }),
            })
          }
        />
      </PageHead>
      <CareerSitesResult
        isOff={isNotFound(postings.error) && site.data !== undefined}
        result={combineResults(postings.data, [site, postings])}
        asked="the postings of this career site"
      >
        {(page) => <Postings siteId={id} locale={locale} reason={reason} offset={offset} page={page} />}
      </CareerSitesResult>
    </>
  )
}

const SitePath = ({ path }: { readonly path: string | null }) => (
  <p className={styles.address}>
    {path === null ? (
      <>
        <Badge kind="warning">Inactive</Badge> <span className="soft">None of its pages is shown.</span>
      </>
    ) : (
      <PageLink href={pageUrl(path)}>
        <bdi>{path}</bdi>
      </PageLink>
    )}
  </p>
)

interface PostingsProps {
  readonly siteId: number
  readonly locale: string | undefined
  readonly reason: HiddenReason | undefined
  readonly offset: number
  readonly page: HiddenPostingsPage
}

const Postings = ({ siteId, locale, reason, offset, page }: PostingsProps) => {
  const { postings, listed, reasons } = page.meta
  const name = `careers.${siteId}`
  return (
    <>
      <StatList>
        <Stat label="Postings">
          <Figure
            name={`${name}.postings`}
            value={postings}
            link={listPath('job-distributions', { career_site_id: siteId, locale })}
          />
        </Stat>
        <Stat label="Offered to search engines">
          <Figure name={`${name}.listed`} value={listed} />
        </Stat>
        <Stat label="Not offered">
          <Figure name={`${name}.hidden`} value={postings - listed} />
        </Stat>
      </StatList>
      <div className={`grid ${styles.columns}`}>
        <Section title="Reasons">
          <Reasons name={name} reasons={reasons} chosen={reason} />
        </Section>
        <Section title="Postings that search engines do not get">
          <HiddenPostings name={name} page={page} reason={reason} offset={offset} />
        </Section>
      </div>
    </>
  )
}
