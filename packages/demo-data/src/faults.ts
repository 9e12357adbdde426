/** Plants one fault for each rule of data health, to show how the service reports it. */
import type { ClientBase } from 'pg'
import { DemoDataError } from './error.ts'
import { AS_OF } from './rules/rule.ts'

interface Fault {
  /** Name of the rule of data health that finds the fault. */
  readonly rule: string
  /** A statement that changes one record, or none if the company has no suitable record. */
  readonly sql: string
}

const WITHOUT_REPORTS = `status = 'active' and not exists (select from employees r where r.manager_id = e.id)`
/** Approved leave that ended before the first attendance record, so that no attendance record contradicts it. */
const EARLIER_LEAVE = `leave_requests where status = 'approved' and to_date < (select min(att_date) from attendance)`

/**
 * The faults are on different records, and no statement inserts a record, so that the number of records is the same
 * with and without faults.
 */
const faults: readonly Fault[] = [
  {
    rule: 'manager_cycle',
    sql: `update employees set manager_id = id where id = (select max(id) from employees e where ${WITHOUT_REPORTS})`,
  },
  {
    rule: 'manager_left',
    sql: `update employees set manager_id = (select min(id) from employees where status = 'terminated')
          where id = (select min(id) from employees e where ${WITHOUT_REPORTS} and termination_date is null)`,
  },
  {
    rule: 'terminated_without_date',
    sql: `update employees set termination_date = null
          where id = (select max(id) from employees where status = 'terminated')`,
  },
  {
    rule: 'overlapping_leave',
    // The request is then decided on the day on which the other one was made.
    sql: `with other as (
            select * from leave_requests where id = (select max(id) from ${EARLIER_LEAVE})
          ), decided as (
            update history h set "on" = other.applied_on from other
            where h.resource = 'leave' and h.record_id = (select min(id) from ${EARLIER_LEAVE})
          )
          update leave_requests l
          set (employee_id, leave_type, from_date, to_date, days, applied_on) =
            (select employee_id, leave_type, from_date, to_date, days, applied_on from other)
          where id = (select min(id) from ${EARLIER_LEAVE})`,
  },
  {
    rule: 'attendance_before_joining',
    sql: `update attendance a
          set att_date = e.date_of_joining - case when extract(isodow from e.date_of_joining) = 1 then 3 else 1 end
          from employees e
          where e.id = a.employee_id and a.id =
            (select min(id) from attendance where employee_id = (select max(employee_id) from attendance))`,
  },
  {
    rule: 'duplicate_attendance',
    sql: `with days as (
            select min(id) as id, max(att_date) as last from attendance
            where employee_id <= 50 and status = 'present'
            group by employee_id having count(*) > 1 order by employee_id limit 1
          )
          update attendance a set att_date = days.last from days where a.id = days.id`,
  },
  {
    rule: 'filled_over_headcount',
    sql: `update job_openings set filled = headcount + 1
          where id = (select max(id) from job_openings where status = 'closed')`,
  },
  {
    rule: 'unparseable_stages',
    sql: `update job_openings set stages_json = left(stages_json, -1)
          where id = (select min(id) from job_openings where status = 'draft')`,
  },
  {
    rule: 'active_application_on_closed_job',
    sql: `update applications set status = 'active', rejection_reason = null
          where id = (
            select max(a.id) from applications a join job_openings j on j.id = a.job_id join candidates c on c.id = a.candidate_id
            where a.status = 'rejected' and c.status = 'active' and j.status = 'closed' and j.filled <= j.headcount
          )`,
  },
  {
    rule: 'application_stage_not_in_job',
    sql: `update applications set stage = 'assessment'
          where id = (
            select max(a.id) from applications a join job_openings j on j.id = a.job_id
            where a.status = 'rejected' and a.stage_entered_on > a.applied_on and strpos(j.stages_json, '"assessment"') = 0
          )`,
  },
  {
    rule: 'published_distribution_of_closed_job',
    sql: `update job_distributions set status = 'published'
          where id = (
            select max(d.id) from job_distributions d join job_openings j on j.id = d.job_posting_id
            where d.status = 'closed' and j.status = 'closed'
          )`,
  },
]

export const faultRules: readonly string[] = faults.map(({ rule }) => rule)

/**
 * Plants every fault in the transaction that the caller has begun. The triggers record the changes with the date of the clock,
 * which the company may not have reached: they become changes of its current day, and of a stage its day.
 */
export async function plantFaults(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ last: string }>('select coalesce(max(id), 0) as last from history')
  for (const { rule, sql } of faults) {
    const { rowCount } = await client.query(sql)
    if (rowCount !== 1)
      throw new DemoDataError(
        `The company has no record for the fault ${rule}: choose a larger company or another seed.`,
      )
  }
  await client.query(
    `update history set "on" = coalesce(since, ${AS_OF}), at = ${AS_OF} + time '12:00' at time zone 'utc' where id > $1`,
    [rows[0]?.last],
  )
  // The request that overlaps another one may be older than the history, but has the later days of that one now.
  await client.query(
    `insert into history (resource, record_id, field, old, new, "on", at)
     select 'leave', id, 'status', 'pending', status, applied_on, applied_on + time '12:00' at time zone 'utc'
     from leave_requests l
     where status <> 'pending' and applied_on > (select day from muster_history_from where resource = 'leave')
       and not exists (select from history h where h.resource = 'leave' and h.record_id = l.id)`,
  )
}
