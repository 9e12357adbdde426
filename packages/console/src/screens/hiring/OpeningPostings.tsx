import type { CareerSite, JobDistribution, JobOpening } from '@muster/client'
import { Badge } from '../../components/Badge.tsx'
import { Figure } from '../../components/Figure.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageLink } from '../../components/PageLink.tsx'
import { formatDay } from '../../format/dates.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { Section } from '../../kit/Section.tsx'
import { Table } from '../../kit/Table.tsx'
import { careerSitesQuery, useList, useRequest } from '../../service/queries.ts'
import { listPath, pageUrl } from '../../service/requests.ts'
import { useSession } from '../../service/session.tsx'
import styles from './OpeningPostings.module.css'

interface OpeningPostingsProps {
  readonly job: JobOpening
}

type Posting = JobDistribution & { readonly career_site: CareerSite }

/** On which career sites the opening is posted. Links lead to the pages that the public sees. */
export const OpeningPostings = ({ job }: OpeningPostingsProps) => {
  const query = { job_posting_id: job.id }
  const postings = useList('jobDistributions', {
    ...query,
    expand: ['career_site'],
    sort: ['career_site_id', 'locale'],
    limit: 100,
  })
  const { client } = useSession()
  // The paths of the public pages. If career sites are off, or if this fails, postings have no links.
  const sites = useRequest(careerSitesQuery(client, { limit: 100 }), { enabled: (postings.data?.meta.total ?? 0) > 0 })
  const pathOf = ({ career_site_id, locale, slug, status, published_at }: Posting): string | undefined => {
    const isPublic = status === 'published' && job.status === 'open' && !isAhead(published_at)
    const site = isPublic ? sites.data?.data.find(({ id }) => id === career_site_id) : undefined
    const path = site?.locales.find((found) => found.locale === locale)?.path
    return path == null ? undefined : `${path}${encodeURIComponent(slug)}`
  }
  const total = postings.data?.meta.total
  return (
    <Section
      title="Posted on"
      aside={
        total === undefined ? undefined : (
          <Figure
            name={`opening.${job.id}.postings`}
            value={total}
            link={listPath('job-distributions', query)}
            what={plural(total, 'posting', 'postings')}
          />
        )
      }
    >
      <Loadable result={postings} asked="the postings of this opening">
        {({ data }) =>
          data.length === 0 ? (
            <p className="note">This opening is on no career site.</p>
          ) : (
            <Table
              className={styles.postings}
              isFlush
              hasLinesOnPhones
              rows={data}
              rowKey={({ id }) => id}
              columns={[
                {
                  title: 'Page',
                  cell: (posting) => <PostingPage posting={posting} path={pathOf(posting)} />,
                },
                { title: 'Language', onPhones: 'hidden', cell: ({ locale }) => languageName(locale) },
                {
                  title: 'Status',
                  kind: 'figure',
                  cell: ({ status }) => (
                    <Badge kind={status === 'published' && job.status === 'open' ? 'good' : 'outline'}>
                      {valueLabel(status)}
                    </Badge>
                  ),
                },
                {
                  title: 'Since',
                  kind: 'figure',
                  onPhones: 'hidden',
                  cell: ({ published_at }) =>
                    published_at === null ? undefined : formatDay(published_at.slice(0, 10)),
                },
              ]}
            />
          )
        }
      </Loadable>
    </Section>
  )
}

const isAhead = (time: string | null): boolean => time !== null && Date.parse(time) > Date.now()

interface PostingPageProps {
  readonly posting: Posting
  /** Undefined if the public cannot see it. */
  readonly path: string | undefined
}

const PostingPage = ({ posting: { career_site: site, locale, published_at }, path }: PostingPageProps) => (
  <>
    {path === undefined ? (
      <bdi>{site.name}</bdi>
    ) : (
      <PageLink href={pageUrl(path)} label={`${site.name} in ${languageName(locale)}`}>
        <bdi>{site.name}</bdi>
      </PageLink>
    )}
    <span className={`${styles.facts} only-phone`}>
      {languageName(locale)}
      {published_at === null ? '' : ` · ${formatDay(published_at.slice(0, 10))}`}
    </span>
  </>
)

const languages = new Intl.DisplayNames('en', { type: 'language' })

/** Locales are free texts, so some are none. */
const languageName = (locale: string): string => {
  try {
    return languages.of(locale) ?? locale
  } catch {
    return locale
  }
}
