import { OperatorError } from '../errors.ts'
import type { Setting, SettingName } from './settings.ts'
import { settings } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const readSetting = (env: Environment, name: SettingName): string | undefined => {
  const value = env[name]?.trim()
  if (value !== undefined && value !== '') return value
  const setting: Setting | undefined = settings.find((candidate) => candidate.name === name)
  return setting?.default
}

export const isSet = (env: Environment, name: SettingName): boolean => readSetting(env, name) !== undefined

export const readList = (env: Environment, name: SettingName): readonly string[] =>
  (readSetting(env, name) ?? '')
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')

export const readInteger = (env: Environment, name: SettingName, min: number, max: number): number => {
  const value = readSetting(env, name) ?? ''
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= min && number <= max))
    throw new OperatorError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`)
  return number
}

export const readChoice = <T extends string>(env: Environment, name: SettingName, choices: readonly T[]): T => {
  const value = readSetting(env, name)
  const choice = choices.find((candidate) => candidate === value)
  if (choice === undefined) throw new OperatorError(`${name} must be one of ${choices.join(', ')}, not "${value}".`)
  return choice
}

export const readSwitch = (env: Environment, name: SettingName): boolean =>
  readChoice(env, name, ['on', 'off']) === 'on'
