/**
 * Every figure on the screens about the whole company equals SQL that is written from the definitions in
 * docs/reports.md, over the same database. A figure without such SQL is an error, and so is one that is missing on the page.
 */
import { compareScreens } from './compare-figures.ts'
import { companyTruths, unusualCompany } from './truths.ts'

/** The second company has records that break the rules of Health. One day ends a month, one is after the last record. */
compareScreens({ data: {}, days: ['2026-09-30'] }, companyTruths)
compareScreens({ ...unusualCompany, days: ['2027-02-26', '2027-03-10'] }, companyTruths)
