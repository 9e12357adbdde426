import type { Rule } from './rule.ts'
import { AS_OF, existenceRule, rowRule } from './rule.ts'

export const recruitingRules: readonly Rule[] = [
  rowRule('filled is the number of hired applications and at most the headcount', {
    from: `job_openings j left join (
             select job_id, count(*) as n from applications where status = 'hired' group by job_id
           ) as h on h.job_id = j.id`,
    broken: 'j.filled > j.headcount or j.headcount < 1 or j.filled <> coalesce(h.n, 0)',
  }),
  rowRule('the dates and the pay range of an opening are in order', {
    from: 'job_openings',
    broken: `comp_min > comp_max or created::date > ${AS_OF} or
             case when status = 'draft' then opened_on is not null
                  else opened_on < (created at time zone 'utc')::date or target_date < opened_on or opened_on > ${AS_OF} end`,
  }),
  rowRule('a hiring manager is employed and joined before the opening was created', {
    from: 'job_openings j left join employees m on m.id = j.hiring_manager_id',
    broken: `m.date_of_joining > (j.created at time zone 'utc')::date or m.status in ('terminated', 'pending')`,
  }),
  rowRule('the dates of an application are in order and its opening is not a draft', {
    from: 'applications a join job_openings j on j.id = a.job_id',
    broken: `a.applied_on < j.opened_on or a.stage_entered_on < a.applied_on or a.stage_entered_on > ${AS_OF}
             or (a.created at time zone 'utc')::date <> a.applied_on or j.status = 'draft'`,
  }),
  rowRule('a stage belongs to the opening and is entered after the application', {
    from: 'applications a join job_openings j on j.id = a.job_id',
    broken: `case when strpos(j.stages_json, '"' || a.stage || '"') = 0 then true
                  when a.stage = 'sourced' then a.stage_entered_on <> a.applied_on
                  when a.stage = 'applied' then false
                  else a.stage_entered_on <= a.applied_on end`,
  }),
  existenceRule('at least one opening has the stage sourced', {
    from: 'job_openings',
    wanted: `strpos(stages_json, '"sourced"') > 0`,
  }),
  rowRule('the status of an application matches its stage', {
    from: 'applications',
    broken: `(status = 'hired') <> (stage = 'hired') or (status = 'rejected') <> (rejection_reason is not null)
             or coalesce(rating, 3) not between 1 and 5`,
  }),
  rowRule('no application is active for a closed opening or an inactive candidate', {
    from: `applications a join job_openings j on j.id = a.job_id join candidates c on c.id = a.candidate_id where a.status = 'active'`,
    broken: `j.status in ('closed', 'archived') or c.status <> 'active'`,
  }),
  {
    name: 'no candidate applies twice to one opening',
    sql: `select coalesce(sum(n), 0) as checked, coalesce(sum(n - 1), 0) as violations
          from (select count(*) as n from applications group by candidate_id, job_id) as pairs`,
  },
  rowRule('every hired candidate is exactly one employee who joined after being hired, and vice versa', {
    from: `(select * from candidates where status = 'hired') as c
           full join (
             select candidate_id, min(job_id) as job_id, max(stage_entered_on) as hired_on, count(*) as n
             from applications where status = 'hired' group by candidate_id
           ) as a on a.candidate_id = c.id
           full join (
             select *, count(*) over (partition by candidate_id) as n from employees where candidate_id is not null
           ) as e on e.candidate_id = coalesce(c.id, a.candidate_id)
           left join job_openings j on j.id = a.job_id`,
    broken: `c.id is null or e.id is null or a.n <> 1 or e.n <> 1 or e.date_of_joining <= a.hired_on or e.dept_id <> j.dept_id
             or e.first_name <> c.first_name or e.last_name <> c.last_name`,
  }),
  rowRule('only referrals name a referrer, who was employed on that day', {
    from: `candidates c left join employees r on r.id = c.referred_by where c.source = 'referral' or c.referred_by is not null`,
    broken: `c.source <> 'referral' or r.date_of_joining > (c.created at time zone 'utc')::date
             or coalesce(r.termination_date, 'infinity'::date) < (c.created at time zone 'utc')::date`,
  }),
  rowRule('a candidate was created before consenting and applying', {
    from: 'candidates c left join (select candidate_id, min(created) as first from applications group by candidate_id) as a on a.candidate_id = c.id',
    broken: `c.created is null or coalesce(c.consent_at, 'infinity'::timestamptz) < c.created
             or coalesce(a.first, 'infinity'::timestamptz) < c.created or c.created >= ${AS_OF} + 1`,
  }),
  rowRule('candidates have unique e-mail addresses', {
    from: '(select email, count(*) as n from candidates group by email) as e',
    broken: 'email is null or n > 1',
  }),
]
