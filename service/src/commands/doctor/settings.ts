/** In charge of the checks that need no database: the settings and the token. */
import { noTokens, readConfig, readTokens, settingWarnings } from '../../config.ts'
import { OperatorError } from '../../errors.ts'
import type { Check, Finding } from './finding.ts'
import { ok, wrong } from './finding.ts'

const fewestCharacters = 32
const fewestDifferent = 10

export const configuration: Check = {
  about: 'configuration',
  look({ env }) {
    const fault = faultOf(() => readConfig(env)) ?? faultOf(() => readTokens(env))
    if (fault !== undefined) return wrong(fault)
    const [warning] = settingWarnings(env, noTokens)
    if (warning === undefined) return ok('Every setting is known and readable.')
    const unknown = /^The setting (\S+) is not known/.exec(warning)?.[1]
    return wrong(warning, unknown === undefined ? undefined : `unset ${unknown}`)
  },
}

const faultOf = (read: () => unknown): string | undefined => {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
}

export const token: Check = {
  about: 'token',
  look({ env }) {
    const tokens = faultOf(() => readTokens(env)) === undefined ? readTokens(env) : undefined
    if (tokens === undefined) return { verdict: 'unknown', sentence: 'Not looked at, because it cannot be read.' }
    if (tokens.write.length === 0) return noToken
    return [...tokens.write, ...tokens.read].some(isWeak)
      ? wrong('A token can be guessed: it should have 32 random characters or more.', newToken)
      : ok('Creates are allowed, with a token that cannot be guessed.')
  },
}

const newToken = 'export MUSTER_API_TOKEN="$(openssl rand -hex 32)"'

const noToken: Finding = {
  verdict: 'advice',
  sentence: 'There is no write token, so nothing can be created. Where that is wanted, all is well.',
  mend: newToken,
}

const isWeak = (secret: string): boolean => secret.length < fewestCharacters || new Set(secret).size < fewestDifferent
