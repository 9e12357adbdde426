import type { Rule } from './rule.ts'
import { AS_OF, existenceRule, rowRule } from './rule.ts'

/** SQL that counts the working days of a leave request, including its first and last day. */
const WORKING_DAYS = `(select count(*) from generate_series(l.from_date, l.to_date, interval '1 day') as d where extract(isodow from d) < 6)`

export const peopleRules: readonly Rule[] = [
  {
    name: 'every chain of managers ends at the one chief executive',
    sql: `with recursive below as (
            select min(id) as id from employees where manager_id is null
            union all
            select e.id from employees e join below b on e.manager_id = b.id
          )
          select (select count(*) from employees) as checked, (select count(*) from employees) - (select count(id) from below) as violations`,
  },
  rowRule('a manager is employed and joined before the employee left', {
    from: 'employees e join employees m on m.id = e.manager_id',
    broken: `m.status in ('terminated', 'pending') or m.date_of_joining > coalesce(e.termination_date, ${AS_OF})`,
  }),
  rowRule('the dates of an employment are in order', {
    from: 'employees',
    broken: `date_of_joining > least(probation_end, termination_date) is true or probation_end > termination_date is true
             or (status = 'pending') <> (date_of_joining > ${AS_OF})`,
  }),
  rowRule('employees have status terminated and are alumni if and only if they left', {
    from: 'employees',
    broken: `(termination_date <= ${AS_OF} is true) <> (status = 'terminated') or alumni <> (termination_date <= ${AS_OF} is true)::int`,
  }),
  rowRule('employees who will leave are active until then', {
    from: `employees where termination_date > ${AS_OF}`,
    broken: `status <> 'active'`,
  }),
  existenceRule('at least one employee will leave', { from: 'employees', wanted: `termination_date > ${AS_OF}` }),
  rowRule('personnel numbers and work e-mail addresses are unique', {
    from: `(select code, email, count(*) over (partition by code) as codes, count(*) over (partition by email) as emails from employees) as e`,
    broken: 'code is null or email is null or codes > 1 or emails > 1',
  }),
  rowRule('employees are on leave if and only if they have approved leave today', {
    from: `employees e left join (
             select distinct employee_id from leave_requests
             where status = 'approved' and days <> 0.5 and ${AS_OF} between from_date and to_date
           ) as l on l.employee_id = e.id
           where e.status in ('active', 'on_leave')`,
    broken: `(e.status = 'on_leave') <> (l.employee_id is not null)`,
  }),
  rowRule('leave is within the employment', {
    from: 'leave_requests l left join employees e on e.id = l.employee_id',
    broken: `l.from_date < e.date_of_joining or l.to_date > coalesce(e.termination_date, 'infinity'::date) or e.status = 'pending'`,
  }),
  rowRule('the days of a leave request are its working days, or half a day', {
    from: 'leave_requests l',
    broken: `not (l.days = ${WORKING_DAYS} or (l.days = 0.5 and l.from_date = l.to_date and extract(isodow from l.from_date) < 6))`,
  }),
  rowRule('leave is requested before it begins', {
    from: 'leave_requests l join employees e on e.id = l.employee_id',
    broken: `l.applied_on > l.from_date or l.applied_on > ${AS_OF} or l.applied_on < e.date_of_joining`,
  }),
  existenceRule('at least one pending leave request is overdue', {
    from: 'leave_requests',
    wanted: `status = 'pending' and from_date < ${AS_OF}`,
  }),
  rowRule('leave requests of an employee do not overlap', {
    from: `(select from_date, lag(to_date) over (partition by employee_id order by from_date, id) as before from leave_requests) as l`,
    broken: `coalesce(before, '-infinity'::date) >= from_date`,
  }),
  rowRule('attendance is on working days within the employment', {
    from: 'attendance a left join employees e on e.id = a.employee_id',
    broken: `extract(isodow from a.att_date) > 5 or a.att_date < e.date_of_joining or a.att_date > ${AS_OF}
             or a.att_date > coalesce(e.termination_date, 'infinity'::date)`,
  }),
  {
    name: 'there is one attendance record per employee and day',
    sql: `select coalesce(sum(n), 0) as checked, coalesce(sum(n - 1), 0) as violations
          from (select count(*) as n from attendance group by employee_id, att_date) as days`,
  },
  rowRule('attendance agrees with approved leave', {
    from: `attendance a left join (
             select l.employee_id, d::date as day, l.days = 0.5 as half
             from leave_requests l cross join generate_series(l.from_date, l.to_date, interval '1 day') as d
             where l.status = 'approved' and l.to_date >= (select min(att_date) from attendance) and l.from_date <= ${AS_OF}
           ) as away on away.employee_id = a.employee_id and away.day = a.att_date`,
    broken: `case when away.day is null then a.status = 'on_leave' when away.half then a.status <> 'half_day' else a.status <> 'on_leave' end`,
  }),
  rowRule('hours match the attendance status', {
    from: 'attendance',
    broken: `case when status in ('on_leave', 'absent') then hours <> 0
                  when status = 'half_day' then hours not between 1 and 5 else hours not between 2 and 12 end`,
  }),
]
