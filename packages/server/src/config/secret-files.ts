/** Tokens and URLs can also be read from files, because container platforms mount secrets as files. */
import { readFileSync } from 'node:fs'
import { OperatorError } from '../errors.ts'
import type { Environment } from './read-setting.ts'
import { isSet, readSetting } from './read-setting.ts'
import type { SettingName } from './settings.ts'

export const readSecret = (env: Environment, name: SettingName, fileName: SettingName): string | undefined => {
  const value = env[name]?.trim() === '' ? undefined : env[name]
  const file = readSetting(env, fileName)
  if (value !== undefined && file !== undefined)
    throw new OperatorError(`Both ${name} and ${fileName} are set: keep one of them.`)
  const secret = file === undefined ? value : readSecretFile(fileName, file)
  return secret === undefined || secret.trim() === '' ? undefined : secret
}

/** `name` is the setting that names the file. */
export const readSecretFile = (name: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw new OperatorError(`${name} names ${file}, which cannot be read: ${readErrors[code] ?? code}.`)
  }
}

const readErrors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user has no permission',
  EISDIR: 'it is a directory',
}

const urlFileSettings = [
  ['DATABASE_URL', 'DATABASE_URL_FILE'],
  ['DATABASE_MIGRATE_URL', 'DATABASE_MIGRATE_URL_FILE'],
  ['DATABASE_READ_URL', 'DATABASE_READ_URL_FILE'],
  ['DATABASE_REPLICA_URLS', 'DATABASE_REPLICA_URLS_FILE'],
  ['REDIS_URL', 'REDIS_URL_FILE'],
] as const satisfies readonly (readonly [SettingName, SettingName])[]

/** Adds the URLs that are stored in files to the environment, so that other code need not read the files. */
export const withUrlFiles = (env: Environment): Environment => {
  const urls = urlFileSettings.map(([name, fileName]) => {
    const url = readSecret(env, name, fileName)?.trim()
    if (url === undefined && isSet(env, fileName))
      throw new OperatorError(`${fileName} names ${readSetting(env, fileName)}, which is empty: write the URL into it.`)
    return [name, url] as const
  })
  return { ...env, ...Object.fromEntries(urls.filter(([, url]) => url !== undefined)) }
}
