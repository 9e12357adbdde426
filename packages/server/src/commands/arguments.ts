import { parseArgs } from 'node:util'
import { didYouMean } from '@muster/model'
import { settings } from '../config/settings.ts'
import type { Command, Option, Options, Values } from './command.ts'
import { UsageError } from './command.ts'

export interface ParsedArguments {
  readonly values: Values<Options>
  readonly positionals: readonly string[]
  readonly help: boolean
}

const helpOption = { type: 'boolean', short: 'h' } as const

export const parseArguments = (command: Command, args: readonly string[]): ParsedArguments => {
  const declaredOptions: Options = { ...command.options, help: { ...helpOption, about: '' } }
  // `strict` is off, because the error messages of parseArgs are written for programmers.
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(declaredOptions).map(([name, { type, short, multiple = false }]) => [
        name,
        { type, multiple, ...(short === undefined ? {} : { short }) },
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const { help, ...rest } = values
  if (help === true) return { values: {}, positionals: [], help: true }
  for (const token of tokens) {
    if (token.kind === 'option') validateOption(declaredOptions, token.name, token.rawName, token.value)
  }
  validateArgumentCount(command, positionals)
  return { values: rest as Values<Options>, positionals, help: false }
}

const validateOption = (declaredOptions: Options, name: string, rawName: string, value: string | undefined): void => {
  const option = Object.hasOwn(declaredOptions, name) ? (declaredOptions[name] as Option) : undefined
  if (option === undefined) {
    const setting = settingFor(name)
    if (setting !== undefined)
      throw new UsageError(`There is no option ${rawName}: it is a setting, so set ${setting} in the environment.`)
    const suggestion = didYouMean(name, Object.keys(declaredOptions), (candidate) => `--${candidate}`)
    throw new UsageError(`There is no option ${rawName}${suggestion}`)
  }
  if (option.type === 'boolean' && value !== undefined) throw new UsageError(`The option ${rawName} takes no value.`)
  if (option.type === 'string' && value === undefined)
    throw new UsageError(
      `The option ${rawName} needs a value: ${rawName} ${option.value ?? option.choices?.join('|') ?? ''}.`,
    )
  if (option.choices !== undefined && !option.choices.includes(value ?? ''))
    throw new UsageError(`${rawName} must be one of ${option.choices.join(', ')}, not "${value}".`)
}

/** Many services have options such as --port and --host; Muster reads these from the environment. */
const settingFor = (option: string): string | undefined => {
  const name = option.toUpperCase().replaceAll('-', '_')
  return settings.find((setting) => setting.name === name || setting.name === `MUSTER_${name}`)?.name
}

const validateArgumentCount = (
  { name, arguments: declaredArguments }: Command,
  positionals: readonly string[],
): void => {
  const surplus = positionals[declaredArguments.length]
  if (surplus === undefined) return
  const limit =
    declaredArguments.length === 0
      ? 'no arguments'
      : declaredArguments.length === 1
        ? 'only one argument'
        : `only ${declaredArguments.length} arguments`
  throw new UsageError(`muster ${name} takes ${limit}: remove "${surplus}".`)
}
