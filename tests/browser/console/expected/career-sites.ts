import { integer } from './texts.ts'

const statusColumns = `
  count(*) filter (where d.status = 'published' and j.status = 'open') as published,
  count(*) filter (where d.status = 'published' and j.status is distinct from 'open') as job_not_open,
  count(*) filter (where d.status not in ('published', 'closed', 'archived')) as draft,
  count(*) filter (where d.status in ('closed', 'archived')) as closed`

/** The figures of Career sites: the first ten sites are on the page. */
export const careerSitesSql = `
with sites as (select id from career_sites order by id limit 10),
locales as (
  select career_site_id, locale, ${statusColumns}
  from job_distributions d join job_openings j on j.id = d.job_posting_id
  where career_site_id in (select id from sites) group by 1, 2
)
select 'careers.sites' as name, ${integer('count(*)')} as text from career_sites
union all
select 'careers.' || career_site_id || '.' || locale || '.' || counted.name, ${integer('counted.value')}
from locales cross join lateral (values ('published', published), ('job_not_open', job_not_open), ('draft', draft), ('closed', closed)) counted (name, value)`

/** The figures of the career site $2. The demo brands have no posting period, and every demo job has what it needs. */
export const careerSiteSql = `
with postings as (
  select case
      when d.status in ('closed', 'archived') then 'closed' when d.status <> 'published' then 'draft'
      when j.status is distinct from 'open' then 'job_not_open' when d.published_at > now() then 'waiting'
      when coalesce(btrim(j.description), '') = '' and coalesce(btrim(j.requirements), '') = '' then 'description'
      when j.location = 'Atlantis' then 'jobLocation' when d.brand_id is null then 'apply'
      when d.published_at is null and j.opened_on is null then 'datePosted' end as reason
  from job_distributions d join job_openings j on j.id = d.job_posting_id where career_site_id = $2
),
figures (name, value) as (
  select 'postings', count(*) from postings
  union all select 'listed', count(*) from postings where reason is null
  union all select 'hidden', count(reason) from postings
  union all select 'found', count(reason) from postings
  union all select 'reasons.' || reason, count(*) from postings where reason is not null group by reason
)
select 'careers.$2.' || name as name, ${integer('value')} as text from figures`
