import { medianDays, stayCtes } from './stays.ts'
import { days, integer } from './texts.ts'

/** Conditions in SQL, by the facet that selects them. */
export type CandidateFilters = Partial<Record<'status' | 'source' | 'consent', string>>

/** The figures of Candidates: a facet counts the candidates whom the other filters leave. The newest 25 are on the page. */
export const candidatesSql = (filters: CandidateFilters = {}): string => {
  const where = (ignored?: keyof CandidateFilters) =>
    Object.entries(filters)
      .filter(([facet]) => facet !== ignored)
      .map(([, condition]) => condition)
      .concat('true')
      .join(' and ')
  const facet = (name: keyof CandidateFilters, key: string) => `
    select '${name}.' || coalesce(${key}, 'null') as name, count(*) as value from candidates
    where ${where(name)} group by 1`
  return `
    select 'candidates.total' as name, ${integer('count(*)')} as text from candidates where ${where()}
    union all select 'candidates.facet.' || name, ${integer('value')} from (
      ${facet('status', 'lower(status)')} union all ${facet('source', 'lower(source)')}
      union all ${facet('consent', `case when consent_at is null then 'none' else 'given' end`)}
    ) facets
    union all select 'candidates.' || page.id || '.applications', ${integer('count(applications.id)')} from (
      select id from candidates where ${where()} order by created desc nulls first, id desc limit 25
    ) page left join applications on candidate_id = page.id group by page.id`
}

/** The days after an event, if they are known and not negative. */
const daysAfter = (from: string, to: string, event: string): string =>
  `case when ${to} >= ${from} then ${days(`(${to} - ${from})`)} || ' after ${event}' end`

/**
 * The figures of the candidate $2 on the day $1. Applications that go on come first, then the newest. The first ten have
 * their stages, except the last one, in which nobody waits.
 */
export const candidateSql = `
with ${stayCtes},
own as (
  select *, row_number() over (order by is_ongoing desc, applied_on desc nulls first, id desc) as place from (
    select *, lower(status) not in ('rejected', 'withdrawn', 'hired') and lower(stage) <> 'hired' as is_ongoing,
      lower(stage) = 'hired' and lower(status) not in ('rejected', 'withdrawn') as is_hire
    from applications where candidate_id = $2
  ) applied
),
own_stays as (
  select id, stage, row_number() over (partition by id order by began nulls first, ended nulls last) - 1 as place,
    coalesce(ended, case when outcome is null then $1::date end) - began as stay_days
  from stays where stage <> 'hired' and id in (select id from own where place <= 10)
),
-- Stages of an application without any known days are no more than its status.
shown as (select * from own_stays where id in (select id from own_stays where stay_days >= 0)),
same_stage as (
  select waiting.* from applications waiting join (select * from own where is_ongoing order by place limit 1) first
    on first.job_id = waiting.job_id and lower(first.stage) = lower(waiting.stage)
  where lower(waiting.status) = 'active'
),
employed as (select * from employees where candidate_id = $2 order by id limit 5),
path (name, text) as (
  select employed.id || '.hired-' || own.id, ${daysAfter('applied_on', 'stage_entered_on', 'applying')}
    from own, employed where is_hire
  union all select employed.id || '.joined',
    nullif(concat_ws(' · ', code, ${daysAfter('hired_on', 'date_of_joining', 'being hired')}), '')
    from employed left join (select stage_entered_on as hired_on from own where is_hire order by applied_on desc, id desc
      limit 1) hired on true
  union all select id || '.left', ${daysAfter('date_of_joining', 'termination_date', 'joining')} from employed
    where termination_date is not null
)
select 'candidate.applications' as name, ${integer('count(*)')} as text from own
union all select 'candidate.application.' || id || '.days_here', ${integer('$1::date - stage_entered_on')} || ' d'
  from own where is_ongoing and stage_entered_on <= $1
union all select 'candidate.application.' || id || '.' || place || '.days', ${integer('stay_days')}
  from shown where stay_days >= 0
union all select distinct 'candidate.same_stage', ${integer('(select count(*) from same_stage)')} from own where is_ongoing
union all select 'candidate.same_stage.' || id || '.days_here', ${integer('$1::date - stage_entered_on')} || ' d' from (
  select * from same_stage order by stage_entered_on nulls last, id limit 6) longest where stage_entered_on <= $1
union all select 'candidate.employee.' || name, text from path where text is not null
union all select 'candidate.median.' || stage, ${medianDays} from stays
  where stage in (select stage from shown) and began <= $1::date group by stage
  having count(*) filter (where ended <= $1::date) > 0`
