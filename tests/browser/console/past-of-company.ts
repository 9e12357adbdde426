/** Another past for many records of the demo company, as SQL. */
import { demoDay } from '../support/muster.ts'
import { knownFrom } from './past-of-records.ts'

/** A third or less of the employees had another value until some day of the last 800. */
const changeOf = (field: string, old: string, part: number): string => `
  insert into history (resource, record_id, field, old, new, "on", at)
  select 'employees', id, '${field}', old, ${field}::text, '${demoDay}'::date - (id * 37 % 800)::int, now()
  from employees, lateral (select (${old})::text as old) earlier
  where id % ${part} = 1 and ${field} is not null and old <> ${field}::text order by id`

export const pastOfCompany: readonly string[] = [
  `update muster_history_from set day = '${knownFrom}'`,
  // The past that the demo company has would contradict this one.
  'delete from history',
  changeOf(
    'dept_id',
    '(select (array_agg(d.id order by d.id))[(1 + employees.id % count(*))::int] from departments d)',
    3,
  ),
  changeOf('designation', `'Trainee'`, 4),
  changeOf('manager_id', '(select min(other.id) from employees other where other.id <> employees.id)', 5),
  changeOf('branch', `'Elsewhere'`, 11),
  changeOf('employment_type', `'internship'`, 13),
  // Active applications came from another stage, and rejected ones were rejected on a known day.
  `insert into history (resource, record_id, field, old, new, "on", since, at)
    select 'applications', id, 'stage', 'sourced', stage, stage_entered_on, stage_entered_on - (id % 9)::int, now()
    from applications where lower(status) = 'active' and stage_entered_on is not null order by id`,
  `insert into history (resource, record_id, field, old, new, "on", at)
    select 'applications', id, 'status', 'active', status, stage_entered_on + (id % 23)::int, now()
    from applications where lower(status) in ('rejected', 'withdrawn') and stage_entered_on is not null order by id`,
]
