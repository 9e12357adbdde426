import type { HiddenPostingsPage } from '@muster/client'
import type { HiddenReason } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { Figure } from '../../components/Figure.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import type { SearchOf } from '../../frame/screens.ts'
import { Table } from '../../kit/Table.tsx'
import styles from './CareerSites.module.css'
import { isFault, reasonTexts } from './labels.ts'

interface ReasonsProps {
  /** Prefix of the names of the figures. */
  readonly name: string
  readonly reasons: HiddenPostingsPage['meta']['reasons']
  readonly chosen: HiddenReason | undefined
}

/** How many postings each reason keeps from search engines. A reason filters the list of postings. */
export const Reasons = ({ name, reasons, chosen }: ReasonsProps) =>
  reasons.length === 0 ? (
    <p className="note">Nothing: search engines get every posting.</p>
  ) : (
    <Table
      className={styles.reasons}
      isFlush
      rows={reasons}
      rowKey={({ reason }) => reason}
      rowClassName={({ reason }) => (reason === chosen ? styles.chosen : undefined)}
      columns={[
        {
          title: 'Reason',
          cell: ({ reason }) => (
            <span className={styles.reason}>
              <StatusMark
                status={isFault(reason) ? 'warning' : 'good'}
                label={isFault(reason) ? 'To fix' : 'Expected'}
              />
              <span>
                <Link
                  className="link"
                  to="."
                  search={(old: SearchOf<'/hiring/career-sites/$id'>) => ({
                    ...old,
                    reason: reason === chosen ? undefined : reason,
                    offset: undefined,
                  })}
                  aria-current={reason === chosen || undefined}
                >
                  {reasonTexts[reason].label}
                </Link>
                <span className={styles.about}>{reasonTexts[reason].about}</span>
              </span>
            </span>
          ),
        },
        {
          title: 'Postings',
          kind: 'figure',
          cell: ({ reason, count, link }) => (
            <Figure name={`${name}.reasons.${reason}`} value={count} link={link ?? undefined} />
          ),
        },
      ]}
    />
  )
