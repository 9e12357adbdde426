/** Every figure on every screen equals SQL: three seeds, two sizes and three days, with and without unusual records. */
import { demoDay } from '../../support/muster.ts'
import { compareScreens } from '../compare-figures.ts'
import { companyTruths, hiringTruths, peopleTruths, unusualRecords } from '../truths.ts'

const truths = { ...companyTruths, ...peopleTruths, ...hiringTruths }

for (const size of ['small', 'medium'] as const) {
  compareScreens({ data: { seed: 'truth-3', size }, days: [demoDay, '2026-09-30', '2026-12-24'] }, truths)
  compareScreens(
    {
      data: { seed: 'truth-4', size, asOf: '2027-02-26', withFaults: true },
      days: ['2027-02-26', '2027-01-31', '2027-03-10'],
      changes: unusualRecords,
    },
    truths,
  )
  compareScreens(
    {
      data: { seed: 'truth-5', size, asOf: '2024-02-29' },
      days: ['2024-02-29', '2023-12-31', '2024-06-03'],
      changes: unusualRecords,
    },
    truths,
  )
}
