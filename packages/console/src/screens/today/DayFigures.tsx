import { addMonths, firstDay, lastDay, monthOf } from '@muster/model'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { Bar } from '../../components/Bars.tsx'
import { Bars } from '../../components/Bars.tsx'
import { Figure } from '../../components/Figure.tsx'
import { LabelledFigure } from '../../components/LabelledFigure.tsx'
import { Withheld } from '../../components/Withheld.tsx'
import { formatMonth } from '../../format/dates.ts'
import { employeeStatusLabel, valueLabel } from '../../format/labels.ts'
import { formatDecimal, formatInteger } from '../../format/numbers.ts'
import { Button } from '../../kit/Button.tsx'
import { Section } from '../../kit/Section.tsx'
import { useReport } from '../../service/queries.ts'
import styles from './TodayScreen.module.css'
import type { FigureGroup, SingleFigure, TodayFigures } from './today-figures.ts'

interface DayFiguresProps {
  readonly figures: TodayFigures
  readonly asOf: string
}

/** The company in four columns: people, leave, applications, openings. */
export const DayFigures = ({ figures, asOf }: DayFiguresProps) => (
  <div className="grid apart">
    <Section
      className="span-3"
      title="People"
      aside={<Total name="people_total" of={figures.peopleTotal} what="people" />}
    >
      <FoldedBars of="People" name="people" groups={figures.people} label={employeeStatusLabel} />
      <ul className={styles.after}>
        <Row name="not_joined" label="Not joined yet" of={figures.notJoined} />
        <Row name="joining" label="Joining in the next 30 days" of={figures.joining} />
        <Row name="leaving" label="Leaving in the next 30 days" of={figures.leaving} />
        <Row name="former" label="Former employees" of={figures.former} />
        {figures.otherStatus.value === 0 ? undefined : (
          <Row name="other_status" label="Other status" of={figures.otherStatus} />
        )}
      </ul>
    </Section>
    <Section
      className="span-3"
      title="Out today"
      aside={<Total name="out_total" of={figures.outTotal} what="out today" />}
    >
      <FoldedBars of="Out today" name="out" groups={figures.out} label={valueLabel} missing={<Withheld />} />
      {figures.out.length === 0 ? <p className="note">No approved leave includes this day.</p> : undefined}
      <ul className={figures.out.length === 0 ? undefined : styles.after}>
        <Row name="leave_pending.out" label="Requests waiting for approval" of={figures.leavePending} />
      </ul>
    </Section>
    <Section
      className="span-3"
      title="Active applications"
      aside={<Total name="applications_total.head" of={figures.applicationsTotal} what="active applications" />}
    >
      <FoldedBars
        of="Active applications"
        name="applications"
        groups={figures.applications}
        label={valueLabel}
        missing="No stage"
      />
      {figures.applications.length === 0 ? <p className="note">No application is active.</p> : undefined}
    </Section>
    <Section className="span-3" title="Hiring">
      <ul>
        <Row name="openings_open.hiring" label="Open openings" of={figures.openings} />
        <Row name="places_open" label="Places to fill" of={figures.places} />
        <Row name="openings_past_target.hiring" label="Past target date" of={figures.openingsPastTarget} />
      </ul>
      <Hires asOf={asOf} />
    </Section>
  </div>
)

interface TotalProps {
  readonly name: string
  readonly of: SingleFigure
  readonly what: string
}

const Total = ({ name, of, what }: TotalProps) => (
  <Figure name={`today.${name}`} value={of.value ?? 0} link={of.link} what={what} />
)

interface RowProps {
  readonly name: string
  readonly label: ReactNode
  readonly of: SingleFigure
}

const Row = ({ name, label, of }: RowProps) => (
  <li className={styles.row}>
    <LabelledFigure label={label}>
      {of.value === null ? <Withheld /> : <Figure name={`today.${name}`} value={of.value} link={of.link} />}
    </LabelledFigure>
  </li>
)

/** Requested after the first picture, because these two figures are about the past. */
const Hires = ({ asOf }: { readonly asOf: string }) => {
  const month = addMonths(monthOf(asOf), -1)
  const to = lastDay(month)
  const ofMonth = useReport('timeToHire', { as_of: asOf, hired_from: firstDay(month), hired_to: to }).data?.data[0]
  const ofYear = useReport('timeToHire', {
    as_of: asOf,
    hired_from: firstDay(addMonths(month, -11)),
    hired_to: to,
  }).data?.data[0]
  if (ofMonth === undefined || ofYear === undefined) return undefined
  return (
    <ul className={styles.after}>
      <Row name="hired" label={`Hired in ${formatMonth(month)}`} of={{ value: ofMonth.n, link: ofMonth.links.n }} />
      {ofYear.median_days === null ? undefined : (
        <li className={styles.row}>
          <LabelledFigure label="Median days to hire, 12 months">
            <Figure name="today.median_days" value={ofYear.median_days} link={ofYear.links.median_days}>
              {formatDecimal(ofYear.median_days)}
            </Figure>
          </LabelledFigure>
        </li>
      )}
    </ul>
  )
}

const shownBars = 8

interface FoldedBarsProps {
  readonly of: string
  readonly name: string
  readonly groups: readonly FigureGroup[]
  readonly label: (group: string) => string
  /** The label of records without a value. */
  readonly missing?: ReactNode
}

/** Any text may be a status or stage, so that there may be many: the later ones are shown on demand. */
const FoldedBars = ({ of, name, groups, label, missing }: FoldedBarsProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const bars = groups.map(
    ({ group, value, link }): Bar => ({
      key: group ?? 'null',
      label: group === null ? <span className="muted">{missing}</span> : label(group),
      value,
      link,
    }),
  )
  const folded = bars.length - shownBars
  return (
    <>
      <Bars of={of} name={`today.${name}`} bars={isOpen || folded <= 1 ? bars : bars.slice(0, shownBars)} />
      {folded <= 1 ? undefined : (
        <Button kind="quiet" aria-expanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Show fewer' : `Show ${formatInteger(folded)} more`}
        </Button>
      )}
    </>
  )
}
