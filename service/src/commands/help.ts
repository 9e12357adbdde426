/** In charge of the help texts: written from the declarations, so that they cannot tell of what is not there. */
import { product } from '@muster/model'
import type { Argument, Command, Option } from './command.ts'

const width = 96

export const programHelp = (commands: readonly Command[]): string =>
  [
    `${product} serves workforce and recruiting data over HTTP from PostgreSQL.`,
    'Usage: muster <command> [options]',
    section(
      'Commands',
      commands.map(({ name, summary }) => [name, summary]),
    ),
    section('Options', [
      ['-h, --help', 'Show this help, or that of a command: muster import --help'],
      ['--version', 'Show the version'],
    ]),
    paragraph(
      'Settings come from the environment; DATABASE_URL is the only one that every command needs. "muster doctor" says whether they are right.',
    ),
    paragraph(
      'Exit codes: 0 done, 1 refused or failed with a sentence that says why, 2 the command line itself is wrong.',
    ),
  ].join('\n\n')

export const commandHelp = (command: Command): string =>
  [
    paragraph(command.summary),
    usageLines(command),
    ...command.details.map(paragraph),
    ...(command.arguments.length === 0
      ? []
      : [
          section(
            'Arguments',
            command.arguments.map(({ name, about }) => [name, about]),
          ),
        ]),
    section('Options', [
      ...Object.entries(command.options).map(([name, option]): [string, string] => [
        optionLabel(name, option),
        option.about,
      ]),
      ['-h, --help', 'Show this help'],
    ]),
    section(
      'Examples',
      command.examples.map(([line, about]) => [`muster ${line}`, about]),
    ),
  ].join('\n\n')

const usageLines = ({ name, arguments: declared, options, usage }: Command): string => {
  const words = [...declared.map(argumentWord), ...(Object.keys(options).length === 0 ? [] : ['[options]'])]
  const lines = usage ?? [[name, ...words].join(' ')]
  return lines.map((line, index) => `${index === 0 ? 'Usage:' : '      '} muster ${line}`).join('\n')
}

const argumentWord = ({ name, optional }: Argument): string => (optional ? `[${name}]` : `<${name}>`)

const optionLabel = (name: string, { short, value, choices }: Option): string => {
  const given = value ?? choices?.join('|')
  return `${short === undefined ? '' : `-${short}, `}--${name}${given === undefined ? '' : ` ${given}`}`
}

/** A name and what it means, side by side where the name leaves room, below each other where it does not. */
const section = (title: string, entries: readonly (readonly [label: string, about: string])[]): string => {
  const indent = Math.min(26, Math.max(...entries.map(([label]) => label.length)) + 4)
  const lines = entries.flatMap(([label, about]) => {
    const [first = '', ...rest] = wrap(about, width - indent)
    const below = rest.map((line) => `${' '.repeat(indent)}${line}`)
    return label.length + 4 <= indent
      ? [`  ${label.padEnd(indent - 2)}${first}`, ...below]
      : [`  ${label}`, `${' '.repeat(indent)}${first}`, ...below]
  })
  return [`${title}:`, ...lines].join('\n')
}

const paragraph = (text: string): string => wrap(text, width).join('\n')

const wrap = (text: string, columns: number): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
