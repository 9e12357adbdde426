import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, it } from 'node:test'
import type { MarkdownDocument } from '../support/markdown.ts'
import { readDocument, repositoryFiles, root } from '../support/markdown.ts'

const files = new Set(repositoryFiles())
const folders = new Set([...files].flatMap(foldersOf))
const documents = new Map(
  [...files].filter((file) => file.endsWith('.md')).map((path) => [path, readDocument(path)] as const),
)

function foldersOf(file: string): string[] {
  const folder = posix.dirname(file)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

/** What is wrong with a link; undefined if nothing is. Links to other hosts are not requested. */
const linkProblem = ({ path }: Pick<MarkdownDocument, 'path'>, target: string): string | undefined => {
  // An address such as user@127.0.0.1 in plain text becomes a link.
  if (target.startsWith('mailto:')) return undefined
  if (/^[a-z]+:/i.test(target))
    return /^(https:\/\/|http:\/\/127\.0\.0\.1[:/])/.test(target) && URL.canParse(target)
      ? undefined
      : 'is not a https URL'
  const [file = '', anchor] = target.split('#')
  const linkedPath = file === '' ? path : posix.join(posix.dirname(path), decodeURI(file)).replace(/\/$/, '')
  if (!files.has(linkedPath)) return folders.has(linkedPath) ? undefined : 'names a file that does not exist'
  if (anchor === undefined) return undefined
  return documents.get(linkedPath)?.anchors.has(anchor) ? undefined : 'names a heading that does not exist'
}

describe('every document', () => {
  it('has no broken link', () => {
    const brokenLinks: string[] = []
    let count = 0
    for (const document of documents.values())
      for (const { line, target } of document.links) {
        count += 1
        const problem = linkProblem(document, target)
        if (problem !== undefined) brokenLinks.push(`${document.path}:${line}: ${target} ${problem}`)
      }
    console.log(`${count} links of ${documents.size} documents checked, ${brokenLinks.length} broken`)
    assert.deepEqual(brokenLinks, [])
    assert.ok(count > 200)
  })

  it('can be reached from the README, unless it is a decision or GitHub shows it by itself', () => {
    const reached = new Set(['README.md'])
    for (const path of reached)
      for (const { target } of documents.get(path)?.links ?? []) {
        const linkedPath = posix.join(posix.dirname(path), target.split('#')[0] ?? '')
        if (documents.has(linkedPath)) reached.add(linkedPath)
      }
    assert.deepEqual(
      [...documents.keys()].filter((path) => !reached.has(path) && !/^(docs\/decisions|\.github)\//.test(path)),
      [],
    )
  })
})

describe('the pictures', () => {
  const pictures = [...files].filter((file) => /\.(png|jpe?g|gif|webp|avif)$/.test(file))

  it('are WebP, each shown by a document, together less than 1.5 MB', () => {
    const shown = new Set(
      [...documents.values()].flatMap(({ path, links }) =>
        links.map(({ target }) => posix.join(posix.dirname(path), target)),
      ),
    )
    assert.deepEqual(
      pictures.filter((file) => !file.endsWith('.webp') || !shown.has(file)),
      [],
    )
    const bytes = pictures.reduce((sum, file) => sum + statSync(posix.join(root, file)).size, 0)
    console.log(`${pictures.length} pictures, ${bytes} bytes`)
    assert.ok(bytes > 0 && bytes < 1_500_000)
  })
})

describe('the check of links', () => {
  const document = { path: 'docs/operations.md' }
  const cases: readonly (readonly [target: string, problem: RegExp | undefined])[] = [
    ['command-line.md#roles', undefined],
    ['../README.md', undefined],
    ['decisions/', undefined],
    ['#settings', undefined],
    ['missing.md', /file/],
    ['command-line.md#missing', /heading/],
    ['#missing', /heading/],
    ['command-line.md#Roles', /heading/],
    ['http://example.com', /https/],
  ]
  for (const [target, problem] of cases)
    it(`${problem === undefined ? 'accepts' : 'rejects'} ${target}`, () => {
      const found = linkProblem(document, target)
      if (problem === undefined) assert.equal(found, undefined)
      else assert.match(found ?? '', problem)
    })
})
