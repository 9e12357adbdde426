/**
 * Every figure on the screens about the whole company equals SQL that is written from the definitions in
 * docs/reports.md, over the same database. A figure without such SQL is an error, and so is one that is missing on the page.
 */
import { expect, test } from '@playwright/test'
import { screens } from '../../../packages/console/src/frame/screens.ts'
import { compareScreens } from './compare-figures.ts'
import { companyTruths, hiringTruths, peopleTruths, unusualCompany, workListTruths } from './truths.ts'

test('the figures of all screens are compared with SQL, except those of Data', () => {
  const truths = Object.values({ ...companyTruths, ...hiringTruths, ...peopleTruths, ...workListTruths })
  const compared = new Set(truths.map(({ path }) => `/${path.replace(/\?.*/, '').replace(':id', '$id')}`))
  const missing = screens.map(({ path }) => path).filter((path) => !compared.has(path))
  expect(missing).toEqual(['/data', '/data/$resource'])
})

/** The second company has records that break the rules of Health. One day ends a month, one is after the last record. */
compareScreens({ data: {}, days: ['2026-09-30'] }, companyTruths)
compareScreens({ ...unusualCompany, days: ['2027-02-26', '2027-03-10'] }, companyTruths)
