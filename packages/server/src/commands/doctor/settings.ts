import { readConfig } from '../../config/config.ts'
import { mayCreate, noTokens, readTokens } from '../../config/tokens.ts'
import { settingWarnings } from '../../config/warnings.ts'
import { OperatorError } from '../../errors.ts'
import type { Check, Finding } from './finding.ts'
import { ok, wrong } from './finding.ts'

const minCharacters = 32
const minDistinctCharacters = 10

export const configurationCheck: Check = {
  label: 'configuration',
  run({ env }) {
    const error = errorOf(() => readConfig(env)) ?? errorOf(() => readTokens(env))
    if (error !== undefined) return wrong(error)
    const [warning] = settingWarnings(env, noTokens)
    if (warning === undefined) return ok('All settings are known and valid.')
    const unknownName = /^The setting (\S+) is not known/.exec(warning)?.[1]
    return wrong(warning, unknownName === undefined ? undefined : `unset ${unknownName}`)
  },
}

const errorOf = (read: () => unknown): string | undefined => {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof OperatorError) return [error.message, ...error.details].join(' ')
    throw error
  }
}

export const tokenCheck: Check = {
  label: 'token',
  run({ env }) {
    const tokens = errorOf(() => readTokens(env)) === undefined ? readTokens(env) : undefined
    if (tokens === undefined) return { verdict: 'unknown', sentence: 'Not checked: the token cannot be read.' }
    if (!mayCreate(tokens)) return noTokenFinding
    return [...tokens.write, ...tokens.read].some(isWeak)
      ? wrong('A token can be guessed: use at least 32 random characters.', newTokenCommand)
      : ok('Creates are enabled, with a token that cannot be guessed.')
  },
}

const newTokenCommand = 'export MUSTER_API_TOKEN="$(openssl rand -hex 32)"'

const noTokenFinding: Finding = {
  verdict: 'advice',
  sentence: 'There is no write token, so creates are disabled. Ignore this if that is intended.',
  fix: newTokenCommand,
}

const isWeak = (secret: string): boolean =>
  secret.length < minCharacters || new Set(secret).size < minDistinctCharacters
