/** Every figure about people and the org chart equals SQL, in a company with unusual and faulty records. */
import { compareScreens } from './compare-figures.ts'
import { peopleTruths, unusualRecords } from './truths.ts'

compareScreens(
  {
    data: { seed: 'truth-2', asOf: '2027-02-26', withFaults: true },
    days: ['2027-02-26'],
    changes: unusualRecords,
  },
  peopleTruths,
)
