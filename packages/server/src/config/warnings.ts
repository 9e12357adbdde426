import { suggestion } from '@muster/model'
import type { TokenLists } from '../http/access/callers.ts'
import type { Environment } from './read-setting.ts'
import { isSet, readSetting } from './read-setting.ts'
import type { SettingName } from './settings.ts'
import { settings } from './settings.ts'
import { emptyTokenFiles } from './tokens.ts'
import { traceWarnings } from './trace-settings.ts'

/** Warnings about settings that are valid but probably mistakes. */
export const settingWarnings = (env: Environment, { write, read }: TokenLists): string[] => {
  const knownNames = new Set<string>(settings.map(({ name }) => name))
  const unknownNames = Object.keys(env).filter((name) => name.startsWith('MUSTER_') && !knownNames.has(name))
  return [
    ...unknownNames.map((name) => `The setting ${name} is not known${settingSuggestion(name)}`),
    ...([...write, ...read].some((token) => token.length < 32)
      ? ['A token has fewer than 32 characters and can be guessed: generate one with `openssl rand -hex 32`.']
      : []),
    ...(areLimitsMultiplied(env)
      ? ['Each worker counts separately, so the rate limits are multiplied by the number of workers: set REDIS_URL.']
      : []),
    ...emptyTokenFiles(env),
    ...(isSet(env, 'REDIS_URL') && !limitNames.some((name) => isSet(env, name))
      ? ['REDIS_URL is set but no rate limit is, so Redis is not used: set a limit, or remove REDIS_URL.']
      : []),
    ...traceWarnings(env),
  ]
}

/**
 * Setting names are compared without the prefix MUSTER_, which would make all of them similar. MUSTER_PORT suggests
 * PORT.
 */
const settingSuggestion = (name: string): string => {
  const withoutPrefix = (settingName: string): string => settingName.replace(/^MUSTER_/, '')
  const nearestName = suggestion(
    withoutPrefix(name),
    settings.map((setting) => withoutPrefix(setting.name)),
  )
  const setting = settings.find((candidate) => withoutPrefix(candidate.name) === nearestName)
  return setting === undefined ? '.' : `; did you mean ${setting.name}?`
}

const limitNames = [
  'MUSTER_RATE_LIMIT_READS',
  'MUSTER_RATE_LIMIT_WRITES',
  'MUSTER_RATE_LIMIT_AUTH_FAILURES',
] as const satisfies readonly SettingName[]

const areLimitsMultiplied = (env: Environment): boolean =>
  limitNames.some((name) => isSet(env, name)) &&
  Number(readSetting(env, 'MUSTER_WORKERS')) > 1 &&
  !isSet(env, 'REDIS_URL')
