/** Compares what a block prints with what the document says. */

/**
 * In the documented output, `…` stands for any text within a line, or for any lines if it is alone on one. Durations,
 * such as 0.1 s, may differ.
 */
export const outputPattern = (documented: string): RegExp =>
  new RegExp(
    `^${documented
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/\d+\\\.\d+(?= s\b)/g, '\\d+\\.\\d+')
      .replaceAll(/^ *… *\n/gm, '(?:.*\\n)*')
      .replaceAll('…', '.*')}$`,
  )

export interface Command {
  readonly command: string
  readonly output: string
}

/** The commands of a `console` block: lines that begin with `$ `, each followed by its output. */
export const commandsOf = (code: string): Command[] =>
  code
    .split(/^\$ /m)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const end = part.indexOf('\n') + 1
      return { command: part.slice(0, end), output: part.slice(end) }
    })
