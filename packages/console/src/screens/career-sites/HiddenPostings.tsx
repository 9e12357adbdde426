import type { HiddenPosting, HiddenPostingsPage } from '@muster/client'
import type { HiddenReason } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../components/Badge.tsx'
import { Figure } from '../../components/Figure.tsx'
import { Pager } from '../../components/Pager.tsx'
import tableStyles from '../../components/Table.module.css'
import { plural } from '../../format/labels.ts'
import styles from './CareerSites.module.css'
import { isFault, reasonTexts } from './labels.ts'
import { PageCell } from './PageLink.tsx'
import type { CareerSiteSearch } from './search.ts'
import { postingsPerPage } from './site-pages.ts'

interface HiddenPostingsProps {
  /** Prefix of the names of the figures. */
  readonly name: string
  readonly page: HiddenPostingsPage
  readonly reason: HiddenReason | undefined
  readonly offset: number
}

export const HiddenPostings = ({ name, page: { data, meta }, reason, offset }: HiddenPostingsProps) => (
  <>
    <p role="status" className={styles.total}>
      <Figure name={`${name}.found`} value={meta.total} /> {plural(meta.total, 'posting', 'postings')}
      {reason === undefined ? undefined : (
        <>
          {`: ${reasonTexts[reason].label.toLowerCase()} `}
          <Link
            className="link"
            to="."
            search={(old: CareerSiteSearch) => ({ ...old, reason: undefined, offset: undefined })}
          >
            Show all
          </Link>
        </>
      )}
    </p>
    {data.length === 0 ? undefined : (
      <table className={`${tableStyles.table} ${styles.postings}`}>
        <thead>
          <tr>
            <th scope="col">Opening</th>
            <th scope="col">Locale</th>
            <th scope="col">Reason</th>
            <th scope="col" className={styles.pageColumn}>
              Page
            </th>
          </tr>
        </thead>
        <tbody>
          {data.map((posting) => (
            <tr key={posting.id}>
              <th scope="row" className={styles.opening}>
                <Link className={styles.title} to="/hiring/openings/$id" params={{ id: String(posting.job_id) }}>
                  <bdi>{posting.title.trim() === '' ? `Opening ${posting.job_id}` : posting.title}</bdi>
                </Link>
                {posting.code === null ? undefined : <bdi className={styles.code}>{posting.code}</bdi>}
              </th>
              <td className={styles.locale}>
                <bdi>{posting.locale}</bdi>
              </td>
              <td className={styles.reasonCell}>
                <PostingReasons posting={posting} />
              </td>
              <PageCell path={posting.path} label={`Open ${posting.title} in ${posting.locale}`} />
            </tr>
          ))}
        </tbody>
      </table>
    )}
    <Pager total={meta.total} offset={offset} shown={data.length} size={postingsPerPage} />
  </>
)

const PostingReasons = ({ posting: { state, missing } }: { readonly posting: HiddenPosting }) => (
  <span className={styles.badges}>
    {(state === 'visible' ? missing : [state]).map((reason) => (
      <Badge key={reason} kind={isFault(reason) ? 'warning' : 'plain'}>
        {reasonTexts[reason].label}
      </Badge>
    ))}
  </span>
)
