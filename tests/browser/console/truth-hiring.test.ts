/** Every figure about hiring equals SQL, in a company with unusual and faulty records. */
import { compareScreens } from './compare-figures.ts'
import { hiringTruths, unusualCompany } from './truths.ts'

compareScreens({ ...unusualCompany, days: ['2027-02-26'] }, hiringTruths)
