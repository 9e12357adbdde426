/** Reads Markdown documents of the repository: code blocks, links and the anchors of headings. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import GithubSlugger from 'github-slugger'
import type { Token, Tokens } from 'marked'
import { lexer, walkTokens } from 'marked'

export const root = join(import.meta.dirname, '..', '..')

export interface Block {
  /** Line of the opening fence. */
  readonly line: number
  /** The first word of the info string, such as `sh`, by which GitHub highlights the block. */
  readonly language: string
  /** The other words: `run`, `run-long`, `setup` or `output`. */
  readonly marks: readonly string[]
  readonly code: string
}

export interface Link {
  readonly line: number
  readonly target: string
}

export interface Markdown {
  readonly blocks: readonly Block[]
  /** Links and images. */
  readonly links: readonly Link[]
  /** What can follow `#` in a link to this document. */
  readonly anchors: ReadonlySet<string>
}

export interface MarkdownDocument extends Markdown {
  /** Path from the root of the repository. */
  readonly path: string
}

/** The files that git knows or would add, as paths from the root of the repository. */
export const repositoryFiles = (): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  })
    .trimEnd()
    .split('\n')

export const readDocument = (path: string): MarkdownDocument => ({
  path,
  ...parseMarkdown(readFileSync(join(root, path), 'utf8')),
})

export const parseMarkdown = (text: string): Markdown => {
  const tokens = lexer(text)
  const blocks: Block[] = []
  const links: Link[] = []
  const slugger = new GithubSlugger()
  const anchors = new Set([...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = '']) => name))
  const lineOf = lineFinder(text)
  // The callback is synchronous.
  void walkTokens(tokens, (token: Token) => {
    if (token.type === 'code') blocks.push(blockOf(token as Tokens.Code, lineOf(token.raw)))
    else if (token.type === 'link' || token.type === 'image')
      links.push({ line: lineOf(token.raw), target: (token as Tokens.Link).href })
    else if (token.type === 'heading') anchors.add(slugger.slug(plainText((token as Tokens.Heading).tokens)))
  })
  return { blocks, links, anchors }
}

/** Finds the line of a token. Tokens come in the order of the text, so the search continues after the last one. */
const lineFinder = (text: string): ((raw: string) => number) => {
  let position = 0
  return (raw) => {
    // The lexer removes the indentation of a block inside a list.
    const [firstLine = ''] = raw.trimStart().split('\n')
    const found = text.indexOf(firstLine, position)
    if (found >= 0) position = found + 1
    return text.slice(0, position).split('\n').length
  }
}

const blockOf = ({ lang = '', text }: Tokens.Code, line: number): Block => {
  const [language = '', ...marks] = lang.split(' ')
  return { line, language, marks, code: `${text}\n` }
}

/** The text of a heading as GitHub uses it for the anchor: without markup. */
const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens)
      return 'text' in token ? String(token.text) : ''
    })
    .join('')
