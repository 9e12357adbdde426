import type { CareerSiteColor } from '@muster/client'
import { Table } from '../../kit/Table.tsx'
import styles from './CareerSites.module.css'
import { colorLabels, formatContrast, usesText } from './labels.ts'

interface SiteColorsProps {
  readonly colors: readonly CareerSiteColor[]
  /** Links in a colour with less contrast would be hard to read. */
  readonly minContrast: number
}

/** The colours of a site: their contrast with the background of its pages, and what they are used for. */
export const SiteColors = ({ colors, minContrast }: SiteColorsProps) => (
  <Table
    className={styles.colors}
    isFlush
    rows={colors}
    rowKey={({ field }) => field}
    columns={[
      {
        title: 'Colour',
        cell: ({ field, value, light }) => (
          <span className={styles.color}>
            {light === null ? undefined : <span className={styles.swatch} style={{ background: value.trim() }} />}
            <span>
              {colorLabels[field]} <bdi className={styles.value}>{value}</bdi>
            </span>
          </span>
        ),
      },
      {
        title: 'On light',
        cellClassName: (color) => !isUsed(color) && styles.wrong,
        span: (color) => (isUsed(color) ? 1 : 2),
        cell: ({ light, dark }) =>
          light === null || dark === null ? (
            'not #rgb or #rrggbb, so not used'
          ) : (
            <Contrast theme={light} minContrast={minContrast} />
          ),
      },
      {
        title: 'On dark',
        cell: ({ dark }) => (dark === null ? undefined : <Contrast theme={dark} minContrast={minContrast} />),
      },
    ]}
  />
)

const isUsed = ({ light, dark }: CareerSiteColor): boolean => light !== null && dark !== null

interface ContrastProps {
  readonly theme: NonNullable<CareerSiteColor['light']>
  readonly minContrast: number
}

const Contrast = ({ theme: { contrast, uses }, minContrast }: ContrastProps) => (
  <>
    <span className="number">{formatContrast(contrast)}</span>
    {contrast < minContrast ? <span className={styles.uses}>too low for links</span> : undefined}
    <span className={styles.uses}>{usesText(uses)}</span>
  </>
)
