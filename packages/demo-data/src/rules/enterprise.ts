import { MAX_OPEN_PERCENT, OPEN_JOBS_PER_SITE } from '../plan.ts'
import { OFFICES_PER_ORGANIZATION } from '../vocabulary/locations.ts'
import { RESERVED_HOST } from './general.ts'
import type { Rule } from './rule.ts'
import { AS_OF, combinedRule, quotedList, rowRule } from './rule.ts'

const GENERIC_SLUGS = [
  'acme',
  'admin',
  'brand',
  'career',
  'careers',
  'company',
  'default',
  'demo',
  'example',
  'home',
  'job',
  'jobs',
  'main',
  'organization',
  'sample',
  'site',
  'test',
  'www',
]

const slugCheck = (table: string, uniqueWithin: string) => ({
  from: `(select slug, count(*) over (partition by ${uniqueWithin}) as n from ${table}) as s`,
  broken: `n > 1 or slug !~ '^[a-z0-9]+(-[a-z0-9]+)*$' or slug in (${quotedList(GENERIC_SLUGS)})`,
})

/** A company with few jobs cannot have three open ones in every country. */
const REQUIRED_OPEN_JOBS = `least(${OPEN_JOBS_PER_SITE}, (select count(*) from job_openings) * ${MAX_OPEN_PERCENT}
  / (${100 * OFFICES_PER_ORGANIZATION} * (select count(*) from organizations)))`

export const enterpriseRules: readonly Rule[] = [
  combinedRule('slugs are unique, lower-case ASCII and not generic', [
    slugCheck('organizations', 'slug'),
    slugCheck('recruitment_brands', 'organization_id, slug'),
    slugCheck('career_sites', 'slug'),
    slugCheck('job_distributions', 'career_site_id, locale, slug'),
  ]),
  {
    name: 'the teams of an organization are one tree',
    sql: `with recursive below as (
            select min(id) as id, organization_id from organization_teams where parent_id is null group by organization_id
            union all
            select t.id, t.organization_id
            from organization_teams t join below b on t.parent_id = b.id and t.organization_id = b.organization_id
          )
          select (select count(*) from organization_teams) as checked,
                 (select count(*) from organization_teams) - (select count(*) from below) as violations`,
  },
  combinedRule('brands are not older than their organization, and no record was updated before it was created', [
    {
      from: 'recruitment_brands b left join organizations o on o.id = b.organization_id',
      broken: 'b.created < o.created or b.updated < b.created',
    },
    { from: 'career_sites', broken: 'updated < created or is_active not in (0, 1)' },
  ]),
  rowRule('a distribution is published if and only if its opening is open', {
    from: `job_distributions d left join job_openings j on j.id = d.job_posting_id`,
    broken: `(d.status = 'published') <> (j.status = 'open')`,
  }),
  rowRule('other distributions have the status of their opening', {
    from: `job_distributions d left join job_openings j on j.id = d.job_posting_id where d.status <> 'published'`,
    broken: `d.status <> case j.status when 'on_hold' then 'closed' else j.status end`,
  }),
  rowRule('a distribution is not published before its opening or its site exists', {
    from: `job_distributions d left join job_openings j on j.id = d.job_posting_id left join career_sites s on s.id = d.career_site_id`,
    broken: `(d.status = 'draft') <> (d.published_at is null)
             or coalesce(d.published_at, 'infinity'::timestamptz) < s.created
             or coalesce((d.published_at at time zone 'utc')::date, 'infinity'::date) < coalesce(j.opened_on, '-infinity'::date)`,
  }),
  rowRule('every active career site shows enough open jobs', {
    from: `(select s.id, count(distinct j.id) as n
            from career_sites s
            left join job_distributions d on d.career_site_id = s.id and d.status = 'published' and d.published_at < ${AS_OF}
            left join job_openings j on j.id = d.job_posting_id and j.status = 'open'
            where s.is_active = 1 group by s.id) as sites`,
    broken: `n < ${REQUIRED_OPEN_JOBS}`,
  }),
  rowRule('every career site has an English headline and introduction, and no logo that does not exist', {
    from: 'career_sites',
    broken: `headline is null or headline ~ '[^ -~]' or introduction is null or introduction ~ '[^ -~]' or logo_url is not null`,
  }),
  rowRule('every brand says how to apply', {
    from: 'recruitment_brands',
    broken: `settings_json !~ '"apply":\\{"(url":"https://${RESERVED_HOST}/[a-z/{}-]*|email":"[a-z]+@${RESERVED_HOST})"\\}'`,
  }),
]
