import { resourceAt } from '@muster/model'
import { FilterSelect } from '../../components/FilterSelect.tsx'
import { PeriodMenu } from '../../components/PeriodMenu.tsx'
import { placeLabel, valueLabel } from '../../format/labels.ts'
import { lastTwelveMonths, monthChoices, writePeriod } from '../../format/periods.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { useCounts } from '../../service/queries.ts'
import { useDepartmentNames } from '../../service/use-department-names.ts'
import type { Cohort } from './cohort.ts'

const suggestedSources = resourceAt('candidates').allFields.find(({ name }) => name === 'source')?.values ?? []

interface CohortFiltersProps {
  readonly asOf: string
  readonly cohort: Cohort
  /** The filters by place and source, which not every screen has. */
  readonly hasAll: boolean
  /** The choices are loaded after the first picture. */
  readonly hasPicture: boolean
  readonly onChange: (change: SearchOf<'/hiring/funnel'>) => void
}

/** The controls that choose a cohort of applications. */
export const CohortFilters = ({ asOf, cohort, hasAll, hasPicture, onChange }: CohortFiltersProps) => {
  const departments = useDepartmentNames(hasPicture)
  const locations = useCounts('jobs', { by: 'location' }, { enabled: hasPicture && hasAll })
  const standard = lastTwelveMonths(asOf)
  return (
    <>
      <PeriodMenu
        label="Applied"
        period={cohort.period}
        choices={monthChoices(asOf)}
        onChange={(period) => {
          const { from, to } = writePeriod(period, standard)
          onChange({ applied_from: from, applied_to: to })
        }}
      />
      <FilterSelect
        label="Department"
        all="All departments"
        value={cohort.deptId?.toString()}
        options={departments === undefined ? undefined : [...departments].map(([id, label]) => ({ id, label }))}
        onChange={(value) => onChange({ 'job.dept_id': value })}
      />
      {hasAll ? (
        <>
          <FilterSelect
            label="Location"
            all="All locations"
            value={cohort.location}
            options={locations.data?.data.flatMap(({ location }) =>
              location === null ? [] : [{ id: String(location), label: placeLabel(String(location)) }],
            )}
            onChange={(value) => onChange({ 'job.location': value })}
          />
          <FilterSelect
            label="Source"
            all="All sources"
            value={cohort.source}
            options={suggestedSources.map((source) => ({ id: source, label: valueLabel(source) }))}
            onChange={(value) => onChange({ 'candidate.source': value })}
          />
        </>
      ) : undefined}
    </>
  )
}
