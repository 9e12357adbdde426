import type { CareerSiteColor } from '@muster/client'
import tableStyles from '../../components/Table.module.css'
import styles from './CareerSites.module.css'
import { colorLabels, formatContrast, usesText } from './labels.ts'

interface SiteColorsProps {
  readonly colors: readonly CareerSiteColor[]
  /** Links in a colour with less contrast would be hard to read. */
  readonly minContrast: number
}

/** The colours of a site: their contrast with the background of its pages, and what they are used for. */
export const SiteColors = ({ colors, minContrast }: SiteColorsProps) => (
  <table className={`${tableStyles.table} ${styles.colors}`}>
    <thead>
      <tr>
        <th scope="col">Colour</th>
        <th scope="col">On light</th>
        <th scope="col">On dark</th>
      </tr>
    </thead>
    <tbody>
      {colors.map((color) => (
        <tr key={color.field}>
          <th scope="row">
            <span className={styles.color}>
              {color.light === null ? undefined : (
                <span className={styles.swatch} style={{ background: color.value.trim() }} />
              )}
              <span>
                {colorLabels[color.field]} <bdi className={styles.value}>{color.value}</bdi>
              </span>
            </span>
          </th>
          {color.light === null || color.dark === null ? (
            <td colSpan={2} className={styles.wrong}>
              not #rgb or #rrggbb, so not used
            </td>
          ) : (
            <>
              <ColorCell theme={color.light} minContrast={minContrast} />
              <ColorCell theme={color.dark} minContrast={minContrast} />
            </>
          )}
        </tr>
      ))}
    </tbody>
  </table>
)

interface ColorCellProps {
  readonly theme: NonNullable<CareerSiteColor['light']>
  readonly minContrast: number
}

const ColorCell = ({ theme: { contrast, uses }, minContrast }: ColorCellProps) => (
  <td>
    <span className="number">{formatContrast(contrast)}</span>
    {contrast < minContrast ? <span className={styles.uses}>too low for links</span> : undefined}
    <span className={styles.uses}>{usesText(uses)}</span>
  </td>
)
