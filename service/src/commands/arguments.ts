/** In charge of reading a command's arguments as it declares them, and of saying what was likely meant where they are others. */

import { parseArgs } from 'node:util'
import { didYouMean } from '@muster/model'
import { settings } from '../config.ts'
import type { Command, Option, Options, Values } from './command.ts'
import { UsageError } from './command.ts'

export interface ReadArguments {
  readonly values: Values<Options>
  readonly positionals: readonly string[]
  readonly help: boolean
}

const helpOption = { type: 'boolean', short: 'h' } as const

export const readArguments = (command: Command, args: readonly string[]): ReadArguments => {
  const declared: Options = { ...command.options, help: { ...helpOption, about: '' } }
  // Not strict: the sentences of parseArgs speak to programmers.
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(declared).map(([name, { type, short }]) => [
        name,
        short === undefined ? { type } : { type, short },
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const { help, ...rest } = values
  if (help === true) return { values: {}, positionals: [], help: true }
  for (const token of tokens) {
    if (token.kind === 'option') refuseOption(declared, token.name, token.rawName, token.value)
  }
  refuseCount(command, positionals)
  return { values: rest as Values<Options>, positionals, help: false }
}

const refuseOption = (declared: Options, name: string, written: string, value: string | undefined): void => {
  const option = Object.hasOwn(declared, name) ? (declared[name] as Option) : undefined
  if (option === undefined) {
    const setting = settingLike(name)
    if (setting !== undefined)
      throw new UsageError(`There is no option ${written}: it is a setting, so set ${setting} in the environment.`)
    const meant = didYouMean(name, Object.keys(declared), (known) => `--${known}`)
    throw new UsageError(`There is no option ${written}${meant}`)
  }
  if (option.type === 'boolean' && value !== undefined) throw new UsageError(`The option ${written} takes no value.`)
  if (option.type === 'string' && value === undefined)
    throw new UsageError(
      `The option ${written} needs a value: ${written} ${option.value ?? option.choices?.join('|') ?? ''}.`,
    )
  if (option.choices !== undefined && !option.choices.includes(value ?? ''))
    throw new UsageError(`${written} should be one of ${option.choices.join(', ')}, and is "${value}".`)
}

/** Many services have options such as --port and --host; this one reads them from the environment. */
const settingLike = (option: string): string | undefined => {
  const name = option.toUpperCase().replaceAll('-', '_')
  return settings.find((setting) => setting.name === name || setting.name === `MUSTER_${name}`)?.name
}

const refuseCount = ({ name, arguments: declared }: Command, positionals: readonly string[]): void => {
  const surplus = positionals[declared.length]
  if (surplus === undefined) return
  const most =
    declared.length === 0 ? 'no argument' : declared.length === 1 ? 'one argument' : `${declared.length} arguments`
  throw new UsageError(`muster ${name} takes ${most}, and "${surplus}" is one too many.`)
}
