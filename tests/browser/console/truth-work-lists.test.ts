/** Every figure of the work lists equals SQL, also over records without dates, departments and usual spellings. */
import { compareScreens } from './compare-figures.ts'
import { unusualCompany, workListTruths } from './truths.ts'

compareScreens({ data: {}, days: ['2026-10-30'] }, workListTruths)
compareScreens(
  {
    ...unusualCompany,
    changes: [
      ...unusualCompany.changes,
      `update leave_requests set status = 'Pending' where id % 3 = 0 and from_date > date '2026-12-01'`,
      `update leave_requests set from_date = date '2027-02-26' + (id % 5 - 2)::int, to_date = date '2027-02-26' + (id % 5 - 2 + id % 4)::int
        where status = 'Pending' and id % 2 = 0`,
      `update leave_requests set to_date = null where status = 'Pending' and id % 15 = 0`,
      `update leave_requests set applied_on = null where status = 'Pending' and id % 13 = 0`,
      `update applications set stage_entered_on = date '2027-02-26' - (15 + id % 60)::int where lower(status) = 'active' and id % 3 = 0`,
      `update employees set date_of_joining = date '2024-02-29' where id % 40 = 0`,
    ],
    days: ['2027-02-26'],
  },
  workListTruths,
)
