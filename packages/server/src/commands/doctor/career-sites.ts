import { parseBrandSettings } from '@muster/career-sites'
import { schemaState } from '../../postgres/schema/migrate.ts'
import { databaseCheck, ok } from './finding.ts'

const maxNamed = 3

/** Brand settings that career sites ignore because they are wrong. */
export const careerSitesCheck = databaseCheck('careers', async (client, { env }) => {
  if (env.MUSTER_CAREER_SITES?.trim() !== 'on') return ok('Career sites are off.')
  if ((await schemaState(client)).state !== 'current')
    return { verdict: 'unknown', sentence: 'Not checked: the schema is not that of this release.' }
  const { rows } = await client.query<{ id: string; slug: string; settings: string | null }>(
    'select id, slug, settings_json as settings from public.recruitment_brands order by id',
  )
  const problems = rows.flatMap(({ id, slug, settings }) =>
    parseBrandSettings(settings ?? undefined).problems.map((problem) => `brand ${id} (${slug}): ${problem}`),
  )
  if (problems.length === 0) return ok('Career sites are on, and all brand settings that they use are valid.')
  const more = problems.length > maxNamed ? ` And ${problems.length - maxNamed} more.` : ''
  return { verdict: 'advice', sentence: `Ignored settings of ${problems.slice(0, maxNamed).join(' ')}${more}` }
})
