import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export interface SearchedText {
  readonly location: string
  readonly text: string
}

/** Files and folders that are never committed, so they are not searched for secrets. */
const ignoredNames = ['.git', 'node_modules', '.demo', 'coverage', 'test-results']
/** The built console. The files it is built from are searched. */
const builtConsole = '/packages/server/console/'

/** Reads every file as latin1, which decodes any bytes, so that binary files are searched too. */
export const readTree = (root: URL): SearchedText[] =>
  filesIn(root).map((file) => ({
    location: decodeURI(file.href.slice(root.href.length)),
    text: readFileSync(file, 'latin1'),
  }))

const filesIn = (folder: URL): URL[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !ignoredNames.includes(name))
    .flatMap((entry) => {
      if (entry.isDirectory()) {
        const subfolder = new URL(`${encodeURIComponent(entry.name)}/`, folder)
        return subfolder.href.endsWith(builtConsole) ? [] : filesIn(subfolder)
      }
      return entry.isFile() ? [new URL(encodeURIComponent(entry.name), folder)] : []
    })

/**
 * Reads every version of every file in the history of HEAD, and every commit message. Returns undefined if there is no
 * history.
 */
export const readHistory = (root: URL): SearchedText[] | undefined => {
  const listed = git(root, ['rev-list', '--objects', 'HEAD'])
  if (listed === undefined) return undefined
  const paths = new Map(
    listed
      .toString()
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, 40), line.slice(41)]),
  )
  const objects = git(root, ['cat-file', '--batch', '--buffer'], [...paths.keys()].join('\n'))
  if (objects === undefined) throw new Error('git cannot read the history that it lists.')
  return [...readObjects(objects)]
    .filter(({ type }) => type !== 'tree')
    .map(({ name, type, bytes }) => ({
      location: type === 'commit' ? `the message of commit ${name}` : `${paths.get(name)} in history (${name})`,
      text: bytes.toString('latin1'),
    }))
}

/**
 * Runs git. Returns undefined if git is missing or the folder is no repository. Sets safe.directory, because in CI
 * another user may own the folder.
 */
const git = (root: URL, args: readonly string[], input = ''): Buffer | undefined => {
  const { status, stdout } = spawnSync('git', ['-c', 'safe.directory=*', ...args], {
    cwd: root,
    input,
    maxBuffer: 2 ** 31 - 1,
  })
  return status === 0 ? stdout : undefined
}

/**
 * Parses the output of `git cat-file --batch`: for each object, a line with its name, type and size, then its bytes and
 * a line feed.
 */
function* readObjects(output: Buffer): Generator<{ name: string; type: string; bytes: Buffer }> {
  for (let offset = 0; offset < output.length; ) {
    const end = output.indexOf('\n', offset)
    const [name = '', type = '', size = ''] = output.toString('latin1', offset, end).split(' ')
    const start = end + 1
    offset = start + Number(size) + 1
    yield { name, type, bytes: output.subarray(start, offset - 1) }
  }
}
