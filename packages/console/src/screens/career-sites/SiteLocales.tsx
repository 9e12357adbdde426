import type { CareerSiteVisibility } from '@muster/client'
import { publications } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { dataLocation } from '../../components/data-links.ts'
import { Figure } from '../../components/Figure.tsx'
import tableStyles from '../../components/Table.module.css'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { listPath } from '../../service/requests.ts'
import styles from './CareerSites.module.css'
import { publicationLabels } from './labels.ts'
import { PageCell } from './PageLink.tsx'

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
      <table className={`${tableStyles.table} ${styles.locales}`}>
        <thead>
          <tr>
            <th scope="col">Locale</th>
            {publications.map((publication) => (
              <th key={publication} scope="col" className={tableStyles.figure}>
                {publicationLabels[publication]}
              </th>
            ))}
            <th scope="col" className={styles.pageColumn}>
              Page
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((locale) => (
            <tr key={locale.locale}>
              <th scope="row">
                <bdi>{locale.locale === '' ? 'none' : locale.locale}</bdi>
              </th>
              {publications.map((publication) => (
                <td
                  key={publication}
                  className={[tableStyles.figure, locale[publication] === 0 && styles.zero].filter(Boolean).join(' ')}
                >
                  <Figure
                    name={`careers.${id}.${locale.locale}.${publication}`}
                    value={locale[publication]}
                    link={locale.links[publication]}
                  />
                </td>
              ))}
              <PageCell path={locale.path} label={`Open ${name} in ${locale.locale}`} />
            </tr>
          ))}
        </tbody>
      </table>
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
