import type { NamedField, Resource } from '@muster/model'
import { resources, trackedFields } from '@muster/model'
import type { Rule } from './rule.ts'
import { AS_OF, combinedRule, existenceRule, rowRule } from './rule.ts'

/** The changes of a field, each with the next one of the record and the present value. */
const changesOf = ({ path, table }: Resource, { name }: NamedField): string =>
  `(select h.*, t.id as present_id, t.${name}::text as present,
      lead(h.id) over later is null as is_last, lead(h.old) over later as next_old
    from history h left join ${table} t on t.id = h.record_id
    where h.resource = '${path}' and h.field = '${name}'
    window later as (partition by h.record_id order by h."on", h.id)) as h`

const allChanges = resources.flatMap((resource) => trackedFields(resource).map((field) => changesOf(resource, field)))

const changesWith = (path: string, table: string): string =>
  `history h join ${table} t on t.id = h.record_id where h.resource = '${path}'`

export const historyRules: readonly Rule[] = [
  combinedRule(
    'each recorded change begins with the value of the one before, and the last one has the present value',
    allChanges.map((from) => ({
      from,
      broken: `present_id is null or old is not distinct from new or new is distinct from case when is_last then present else next_old end`,
    })),
  ),
  combinedRule('a record changes after it began and before it ended, and not after today', [
    {
      from: changesWith('employees', 'employees'),
      broken: `h."on" < t.date_of_joining or h."on" > least(t.termination_date, ${AS_OF})`,
    },
    { from: changesWith('leave', 'leave_requests'), broken: `h."on" < t.applied_on or h."on" > ${AS_OF}` },
    { from: changesWith('jobs', 'job_openings'), broken: `h."on" < t.opened_on or h."on" > ${AS_OF}` },
    { from: changesWith('candidates', 'candidates'), broken: `h."on" < t.created::date or h."on" > ${AS_OF}` },
    { from: changesWith('applications', 'applications'), broken: `h."on" < t.applied_on or h."on" > ${AS_OF}` },
    {
      from: changesWith('job-distributions', 'job_distributions'),
      broken: `h."on" < t.published_at::date or h."on" > ${AS_OF}`,
    },
  ]),
  rowRule('the stages of an application follow the order of its opening, and the last one has its day', {
    from: `(select h.*, lead(h.id) over (partition by h.record_id order by h."on", h.id) is null as is_last
            from history h where h.resource = 'applications' and h.field = 'stage') as h
           join applications a on a.id = h.record_id join job_openings j on j.id = a.job_id`,
    broken: `strpos(j.stages_json, '"' || h.old || '"') = 0
             or strpos(j.stages_json, '"' || h.new || '"') between 1 and strpos(j.stages_json, '"' || h.old || '"')
             or h.since > h."on" or (h.is_last and h."on" <> a.stage_entered_on)`,
  }),
  rowRule('an application ends in its last stage', {
    from: `${changesWith('applications', 'applications')} and h.field = 'status'`,
    broken: `h."on" < t.stage_entered_on or t.status = 'hired' and h."on" <> t.stage_entered_on`,
  }),
  rowRule('a leave request is decided within two weeks, before the leave begins', {
    from: `leave_requests l
           left join (select record_id, min("on") as "on" from history where resource = 'leave' group by record_id) as h on h.record_id = l.id
           where l.status <> 'pending' and l.applied_on > (select day from muster_history_from where resource = 'leave')`,
    broken: `h."on" > l.applied_on + 14 or h."on" > greatest(l.from_date, l.applied_on)`,
  }),
  rowRule('managers of the past were employed while they had the team, or until a week before', {
    from: 'muster_versions_employees() v join employees e on e.id = v.record_id join employees m on m.id = v.manager_id',
    broken: `m.date_of_joining > greatest(v.valid_from, e.date_of_joining)
             or v.valid_to is not null and coalesce(m.termination_date, 'infinity') < v.valid_to - 7`,
  }),
  rowRule('who moves to another department gets another manager on that day', {
    from: `history h left join history m
             on m.resource = h.resource and m.record_id = h.record_id and m."on" = h."on" and m.field = 'manager_id'
           where h.resource = 'employees' and h.field = 'dept_id'`,
    broken: 'm.id is null',
  }),
  rowRule('a candidate is hired on the day on which the application is', {
    from: `history h left join applications a on a.candidate_id = h.record_id and a.status = 'hired'
           where h.resource = 'candidates' and h.new = 'hired'`,
    broken: `a.stage_entered_on <> h."on"`,
  }),
  existenceRule('at least one employee was promoted', { from: 'history', wanted: `field = 'designation'` }),
  rowRule('the history is complete for at least the last year', {
    from: 'muster_history_from',
    broken: `day > ${AS_OF} - 365`,
  }),
]
