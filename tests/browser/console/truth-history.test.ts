/** Every figure that depends on the history equals SQL, in a company in which many records have a past. */
import { compareScreens } from './compare-figures.ts'
import { pastOfCompany } from './past-of-company.ts'
import { historyTruths } from './truths.ts'

/** On the second day, the first months of Movements are not recorded. */
compareScreens({ data: {}, changes: pastOfCompany, days: ['2026-09-30', '2024-09-12'] }, historyTruths)
