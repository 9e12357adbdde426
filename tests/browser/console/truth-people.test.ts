/** Every figure about people and the org chart equals SQL, in a company with unusual and faulty records. */
import { compareScreens } from './compare-figures.ts'
import { peopleTruths, unusualCompany } from './truths.ts'

compareScreens({ ...unusualCompany, days: ['2027-02-26'] }, peopleTruths)
