/** A known past for some records of the demo company instead of their own, as SQL. */

/** Changes are known from this day on. */
export const knownFrom = '2024-03-03'

/** Employee 7: three changes, of which the last is of the department and the manager on one day. */
const employeePast = `
  insert into history (resource, record_id, field, old, new, "on", at)
  select 'employees', 7, field, old, new, day::date, now() from employees present, lateral (values
    ('designation', 'Trainee', 'Specialist', '2024-06-01'),
    ('designation', 'Specialist', present.designation, '2025-02-10'),
    ('dept_id', (select min(id) from departments where id <> present.dept_id)::text, present.dept_id::text, '2026-01-15'),
    ('manager_id', (select min(id) from employees where id not in (7, present.manager_id))::text,
      present.manager_id::text, '2026-01-15')
  ) as changes (field, old, new, day) where present.id = 7 order by day`

/** Active applications in the interview were in two earlier stages, for 3 and 5 days. */
const applicationPast = `
  insert into history (resource, record_id, field, old, new, "on", since, at)
  select 'applications', id, 'stage', old, new, day, since, now() from applications, lateral (values
    ('applied', 'shortlisted', stage_entered_on - 5, stage_entered_on - 8),
    ('shortlisted', stage, stage_entered_on, stage_entered_on - 5)
  ) as changes (old, new, day, since) where lower(status) = 'active' and lower(stage) = 'interview' order by id, day`

/** The company as a service has it that recorded no change before its current day. */
export const noPast: readonly string[] = [
  'delete from history',
  'update muster_history_from set day = (select as_of from muster_seed)',
]

export const pastOfRecords: readonly string[] = [
  `delete from history where resource = 'applications' or resource = 'employees' and record_id = 7`,
  `update muster_history_from set day = '${knownFrom}'`,
  employeePast,
  `update applications set applied_on = stage_entered_on - 8 where lower(status) = 'active' and lower(stage) = 'interview'`,
  applicationPast,
]
