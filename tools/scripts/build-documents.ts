/**
 * Writes the documents that the service serves into packages/server/documents: llms.txt, which is docs/README.md, every
 * document that it links to, and the files of recipes and runbooks. `npm run build`, `npm start` and `npm run demo` run this.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const indexFile = 'docs/README.md'
const indexName = 'llms.txt'
const wholeFolders = ['docs/recipes', 'docs/runbooks']

/** Documents of this section are about the repository, not about a service. */
const omittedSection = /^## Contributors\n(?:(?!## ).*\n)*/m

/** A link or image: its mark, text and target. The text of a link may contain an image. */
const linkPattern = /(!?)\[((?:!\[[^\]]*\]\([^)]*\)|[^[\]])*)\]\(([^()\s]+)\)/g
const fencedBlock = /(^ *```.*?^ *```$)/ms

/** Where a document of the repository is served: at /docs/, by its path in docs/ or in the repository. */
const servedName = (file: string): string =>
  file === indexFile ? indexName : `docs/${file.startsWith('docs/') ? file.slice('docs/'.length) : file}`

/** Changes each link or image outside code blocks. */
const replaceLinks = (
  text: string,
  replace: (link: string, isImage: boolean, label: string, target: string) => string,
) =>
  text
    .split(fencedBlock)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(linkPattern, (link, mark: string, label: string, target: string) =>
            replace(link, mark === '!', label, target),
          ),
    )
    .join('')

const isExternal = (target: string): boolean => /^[a-z]+:/i.test(target)

/** The file that a link in `file` leads to, as a path from the root of the repository. */
const linkedFile = (file: string, target: string): string => {
  const [path = ''] = target.split('#')
  return path === '' ? file : posix.join(posix.dirname(file), path)
}

/** Links to served documents lead to where these are served. Other files and images are not served. */
const servedText = (file: string, text: string, served: ReadonlySet<string>): string =>
  replaceLinks(text, (link, isImage, label, target) => {
    if (isImage) return label
    if (isExternal(target)) return link
    const visibleLabel = label.replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    const linked = linkedFile(file, target)
    if (!served.has(linked)) return visibleLabel
    const path = linked === file ? '' : posix.relative(posix.dirname(servedName(file)), servedName(linked))
    // The index is plain text, which has no anchors.
    const anchor = linked === indexFile ? '' : (/#.*$/.exec(target)?.[0] ?? '')
    return `[${visibleLabel}](${path}${anchor})`
  })

export const buildDocuments = (folder: string): void => {
  const readText = (file: string): string => readFileSync(join(root, file), 'utf8')
  const index = readText(indexFile).replace(omittedSection, '')
  const served = new Set([indexFile])
  replaceLinks(index, (link, _isImage, _label, target) => {
    if (!isExternal(target)) served.add(linkedFile(indexFile, target))
    return link
  })
  for (const folderName of wholeFolders)
    for (const name of readdirSync(join(root, folderName))) served.add(`${folderName}/${name}`)
  rmSync(folder, { recursive: true, force: true })
  for (const file of served) {
    const output = join(folder, servedName(file))
    mkdirSync(dirname(output), { recursive: true })
    const text = file === indexFile ? index : readText(file)
    writeFileSync(output, file.endsWith('.md') ? servedText(file, text, served) : text)
  }
}

if (import.meta.main) buildDocuments(join(root, 'packages', 'server', 'documents'))
