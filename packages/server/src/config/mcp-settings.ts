import { basePath } from '@muster/model'
import { OperatorError } from '../errors.ts'
import type { Environment } from './read-setting.ts'
import { isSet, readSetting, readSwitch } from './read-setting.ts'
import { readSecret } from './secret-files.ts'

/** The settings of `muster mcp`. */
export interface McpSettings {
  /** The base URL of the API, without a slash at its end. */
  readonly url: string
  readonly token: string | undefined
  readonly writes: boolean
}

export const readMcpSettings = (env: Environment): McpSettings => ({
  url: readUrl(env),
  token: readToken(env),
  writes: readSwitch(env, 'MUSTER_MCP_WRITES'),
})

/** The tokens that the service accepts are not used: an agent gets its rights only by a setting of its own. */
const readToken = (env: Environment): string | undefined => {
  const token = readSecret(env, 'MUSTER_MCP_TOKEN', 'MUSTER_MCP_TOKEN_FILE')
  if (token === undefined && isSet(env, 'MUSTER_MCP_TOKEN_FILE'))
    throw new OperatorError(
      `MUSTER_MCP_TOKEN_FILE names ${readSetting(env, 'MUSTER_MCP_TOKEN_FILE')}, which is empty: write a token into it.`,
    )
  return token
}

const readUrl = (env: Environment): string => {
  const value = String(readSetting(env, 'MUSTER_MCP_URL'))
  const url = URL.canParse(value) ? new URL(value) : undefined
  const path = url?.pathname.replace(/\/$/, '')
  if (url === undefined || !/^https?:$/.test(url.protocol) || !path?.endsWith(basePath))
    throw new OperatorError('MUSTER_MCP_URL must be the URL of the API, such as http://127.0.0.1:8080/api.')
  if (url.username !== '' || url.password !== '')
    throw new OperatorError('MUSTER_MCP_URL must not contain a password: set MUSTER_MCP_TOKEN.')
  return `${url.origin}${path}`
}
