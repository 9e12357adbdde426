import type { HiddenPosting, HiddenPostingsPage } from '@muster/client'
import type { HiddenReason } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../components/Badge.tsx'
import { Figure } from '../../components/Figure.tsx'
import { plural } from '../../format/labels.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { Pager } from '../../kit/Pager.tsx'
import { Table } from '../../kit/Table.tsx'
import styles from './CareerSites.module.css'
import { isFault, reasonTexts } from './labels.ts'
import { PageCell, pageColumn } from './PageCell.tsx'
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
            search={(old: SearchOf<'/hiring/career-sites/$id'>) => ({ ...old, reason: undefined, offset: undefined })}
          >
            Show all
          </Link>
        </>
      )}
    </p>
    {data.length === 0 ? undefined : (
      <Table
        className={styles.postings}
        isFlush
        hasLinesOnPhones
        rows={data}
        rowKey={({ id }) => id}
        columns={[
          {
            title: 'Opening',
            cellClassName: styles.opening,
            cell: ({ job_id, title, code }) => (
              <>
                <Link className={styles.title} to="/hiring/openings/$id" params={{ id: String(job_id) }}>
                  <bdi>{title.trim() === '' ? `Opening ${job_id}` : title}</bdi>
                </Link>
                {code === null ? undefined : <bdi className={styles.code}>{code}</bdi>}
              </>
            ),
          },
          { title: 'Locale', cell: ({ locale }) => <bdi>{locale}</bdi> },
          {
            title: 'Reason',
            cellClassName: styles.reasonCell,
            cell: (posting) => <PostingReasons posting={posting} />,
          },
          {
            ...pageColumn,
            cell: ({ path, title, locale }) => <PageCell path={path} label={`Open ${title} in ${locale}`} />,
          },
        ]}
      />
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
