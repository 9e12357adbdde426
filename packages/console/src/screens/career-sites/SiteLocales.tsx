import type { CareerSiteVisibility } from '@muster/client'
import { publications } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { dataLocation } from '../../components/data-links.ts'
import { Figure } from '../../components/Figure.tsx'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import type { TableColumn } from '../../kit/Table.tsx'
import { Table } from '../../kit/Table.tsx'
import { listPath } from '../../service/requests.ts'
import styles from './CareerSites.module.css'
import { publicationLabels } from './labels.ts'
import { PageCell, pageColumn } from './PageCell.tsx'

/** More locales than any company has; the text is free, so there may be many by mistake. */
const maxLocales = 40

/** The postings of a site by locale and status. */
export const SiteLocales = ({ site: { id, name, locales } }: { readonly site: CareerSiteVisibility }) => {
  const shown = locales.slice(0, maxLocales)
  const hidden = locales.length - shown.length
  return locales.length === 0 ? (
    <p className="note">No job is distributed to this site.</p>
  ) : (
    <>
      <Table
        className={styles.locales}
        isFlush
        rows={shown}
        rowKey={({ locale }) => locale}
        columns={[
          { title: 'Locale', cell: ({ locale }) => <bdi>{locale === '' ? 'none' : locale}</bdi> },
          ...publications.map(
            (publication): TableColumn<(typeof shown)[number]> => ({
              title: publicationLabels[publication],
              kind: 'figure',
              cellClassName: (locale) => locale[publication] === 0 && styles.zero,
              cell: ({ locale, links, [publication]: value }) => (
                <Figure name={`careers.${id}.${locale}.${publication}`} value={value} link={links[publication]} />
              ),
            }),
          ),
          {
            ...pageColumn,
            cell: ({ path, locale }) => <PageCell path={path} label={`Open ${name} in ${locale}`} />,
          },
        ]}
      />
      {hidden === 0 ? undefined : (
        <p className={`note ${styles.after}`}>
          {formatInteger(hidden)} more {plural(hidden, 'locale has', 'locales have')} fewer postings.{' '}
          <Link className="link" {...dataLocation(listPath('job-distributions', { career_site_id: id }))}>
            All postings
          </Link>
        </p>
      )}
    </>
  )
}
