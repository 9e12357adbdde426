import { product } from '@muster/model'
import type { Argument, Command, Option } from './command.ts'

const lineWidth = 96

export const programHelp = (commands: readonly Command[]): string =>
  [
    `${product} serves workforce and recruiting data over HTTP from PostgreSQL.`,
    'Usage: muster <command> [options]',
    formatSection(
      'Commands',
      commands.map(({ name, summary }) => [name, summary]),
    ),
    formatSection('Options', [
      ['-h, --help', 'Show this help, or the help of a command: muster import --help'],
      ['--version', 'Show the version'],
    ]),
    formatParagraph(
      'Settings are environment variables. Only DATABASE_URL is required. "muster doctor" checks them all.',
    ),
    formatParagraph(
      'Exit codes: 0 success, 1 failure (a message says why), 2 invalid command line, 3 a dry run found changes.',
    ),
  ].join('\n\n')

export const commandHelp = (command: Command): string =>
  [
    formatParagraph(command.summary),
    usageLines(command),
    ...command.details.map(formatParagraph),
    ...(command.arguments.length === 0
      ? []
      : [
          formatSection(
            'Arguments',
            command.arguments.map(({ name, about }) => [name, about]),
          ),
        ]),
    formatSection('Options', [
      ...Object.entries(command.options).map(([name, option]): [string, string] => [
        optionLabel(name, option),
        option.about,
      ]),
      ['-h, --help', 'Show this help'],
    ]),
    formatSection(
      'Examples',
      command.examples.map(([line, about]) => [`muster ${line}`, about]),
    ),
  ].join('\n\n')

const usageLines = ({ name, arguments: declared, options, usage }: Command): string => {
  const usageWords = [...declared.map(argumentWord), ...(Object.keys(options).length === 0 ? [] : ['[options]'])]
  const lines = usage ?? [[name, ...usageWords].join(' ')]
  return lines.map((line, index) => `${index === 0 ? 'Usage:' : '      '} muster ${line}`).join('\n')
}

const argumentWord = ({ name, optional }: Argument): string => (optional ? `[${name}]` : `<${name}>`)

const optionLabel = (name: string, { short, value, choices }: Option): string => {
  const placeholder = value ?? choices?.join('|')
  return `${short === undefined ? '' : `-${short}, `}--${name}${placeholder === undefined ? '' : ` ${placeholder}`}`
}

/** Formats two columns. A description goes below its label if the label is too long. */
const formatSection = (title: string, entries: readonly (readonly [label: string, about: string])[]): string => {
  const indent = Math.min(26, Math.max(...entries.map(([label]) => label.length)) + 4)
  const lines = entries.flatMap(([label, about]) => {
    const [first = '', ...rest] = wrapLines(about, lineWidth - indent)
    const indentedLines = rest.map((line) => `${' '.repeat(indent)}${line}`)
    return label.length + 4 <= indent
      ? [`  ${label.padEnd(indent - 2)}${first}`, ...indentedLines]
      : [`  ${label}`, `${' '.repeat(indent)}${first}`, ...indentedLines]
  })
  return [`${title}:`, ...lines].join('\n')
}

const formatParagraph = (text: string): string => wrapLines(text, lineWidth).join('\n')

const wrapLines = (text: string, columns: number): string[] => {
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
