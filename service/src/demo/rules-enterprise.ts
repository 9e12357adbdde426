/** In charge of the rules about the enterprise configuration: slugs, teams, sites and where openings are shown. */
import type { Rule } from './rule.ts'
import { counting, listed, together } from './rule.ts'

const GENERIC = [
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

const slug = (table: string, within: string) => ({
  from: `(select slug, count(*) over (partition by ${within}) as n from ${table}) as s`,
  broken: `n > 1 or slug !~ '^[a-z0-9]+(-[a-z0-9]+)*$' or slug in (${listed(GENERIC)})`,
})

export const enterpriseRules: readonly Rule[] = [
  together('slugs are unique where they must be, plain and never generic', [
    slug('organizations', 'slug'),
    slug('recruitment_brands', 'organization_id, slug'),
    slug('career_sites', 'slug'),
    slug('job_distributions', 'career_site_id, locale, slug'),
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
  together('what belongs to something is not older than it', [
    {
      from: 'recruitment_brands b left join organizations o on o.id = b.organization_id',
      broken: 'b.created < o.created or b.updated < b.created',
    },
    { from: 'career_sites', broken: 'updated < created or is_active not in (0, 1)' },
  ]),
  counting('a distribution follows its opening and its site', {
    from: `job_distributions d left join job_openings j on j.id = d.job_posting_id left join career_sites s on s.id = d.career_site_id`,
    broken: `d.status <> case j.status when 'open' then 'published' when 'on_hold' then 'published' else j.status end
             or (d.status = 'draft') <> (d.published_at is null)
             or coalesce(d.published_at, 'infinity'::timestamptz) < s.created
             or coalesce((d.published_at at time zone 'utc')::date, 'infinity'::date) < coalesce(j.opened_on, '-infinity'::date)`,
  }),
]
