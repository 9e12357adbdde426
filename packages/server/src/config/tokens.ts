import type { TokenLists } from '../http/access/callers.ts'
import { readAccessFile } from './access-file.ts'
import type { Environment } from './read-setting.ts'
import { isSet, readSetting } from './read-setting.ts'
import { readSecret } from './secret-files.ts'
import type { SettingName } from './settings.ts'

export const hasTokens = ({ write, read, named }: TokenLists): boolean => write.length + read.length + named.length > 0

/** Whether any token, valid or expired, is for creates. */
export const mayCreate = ({ write, named }: TokenLists): boolean =>
  write.length > 0 || named.some(({ create }) => create.length > 0)

export const noTokens: TokenLists = { write: [], read: [], named: [] }

const tokenFileSettings = [
  ['MUSTER_API_TOKEN', 'MUSTER_API_TOKEN_FILE'],
  ['MUSTER_API_TOKEN_PREVIOUS', 'MUSTER_API_TOKEN_PREVIOUS_FILE'],
  ['MUSTER_READ_TOKEN', 'MUSTER_READ_TOKEN_FILE'],
] as const satisfies readonly (readonly [SettingName, SettingName])[]

/** Throws if a file cannot be read, or if the access file is invalid. */
export const readTokens = (env: Environment): TokenLists => {
  const [apiToken, previousToken, readToken] = tokenFileSettings.map(([name, fileName]) =>
    readSecret(env, name, fileName),
  )
  const withoutUndefined = (tokens: readonly (string | undefined)[]) => tokens.filter((token) => token !== undefined)
  return {
    write: withoutUndefined([apiToken, previousToken]),
    read: withoutUndefined([readToken]),
    named: readAccessFile(env),
  }
}

/** Warnings, not errors: a token file may be empty on purpose, for example while a token is being retired. */
export const emptyTokenFiles = (env: Environment): string[] => {
  const tokens = readTokens(env)
  return tokenFileSettings
    .filter(([name, fileName]) => isSet(env, fileName) && readSecret(env, name, fileName) === undefined)
    .map(([name, fileName]) => {
      const effect = !mayCreate(tokens) && name === 'MUSTER_API_TOKEN' ? ', so creates are disabled' : ''
      return `${fileName} names ${readSetting(env, fileName)}, which is empty${effect}: write a token into it, or unset ${fileName}.`
    })
}
