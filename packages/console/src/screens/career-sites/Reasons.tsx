import type { HiddenPostingsPage } from '@muster/client'
import type { HiddenReason } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { Figure } from '../../components/Figure.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import tableStyles from '../../components/Table.module.css'
import styles from './CareerSites.module.css'
import { isFault, reasonTexts } from './labels.ts'
import type { CareerSiteSearch } from './search.ts'

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
    <table className={`${tableStyles.table} ${styles.reasons}`}>
      <thead>
        <tr>
          <th scope="col">Reason</th>
          <th scope="col" className={tableStyles.figure}>
            Postings
          </th>
        </tr>
      </thead>
      <tbody>
        {reasons.map(({ reason, count, link }) => (
          <tr key={reason} className={reason === chosen ? styles.chosen : undefined}>
            <th scope="row">
              <span className={styles.reason}>
                <StatusMark
                  status={isFault(reason) ? 'warning' : 'good'}
                  label={isFault(reason) ? 'To fix' : 'Expected'}
                />
                <span>
                  <Link
                    className="link"
                    to="."
                    search={(old: CareerSiteSearch) => ({
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
            </th>
            <td className={tableStyles.figure}>
              <Figure name={`${name}.reasons.${reason}`} value={count} link={link ?? undefined} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
