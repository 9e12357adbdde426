/** In charge of every text of the repository: the files that lie there, and what its history remembers. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export interface Text {
  readonly place: string
  readonly text: string
}

/** Never committed: packages, what the demo keeps, figures of coverage. */
const notOurs = ['.git', 'node_modules', '.demo', 'coverage']

/** All bytes count, also of files that are no text, so none of them is decoded. */
export const readTree = (root: URL): Text[] =>
  filesIn(root).map((file) => ({
    place: decodeURI(file.href.slice(root.href.length)),
    text: readFileSync(file, 'latin1'),
  }))

const filesIn = (folder: URL): URL[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !notOurs.includes(name))
    .flatMap((entry) => {
      if (entry.isDirectory()) return filesIn(new URL(`${encodeURIComponent(entry.name)}/`, folder))
      return entry.isFile() ? [new URL(encodeURIComponent(entry.name), folder)] : []
    })

/** Every file that was ever committed on the way to here, and every message; undefined where there is no history. */
export const readHistory = (root: URL): Text[] | undefined => {
  const listed = git(root, ['rev-list', '--objects', 'HEAD'])
  if (listed === undefined) return undefined
  const places = new Map(
    listed
      .toString()
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, 40), line.slice(41)]),
  )
  const objects = git(root, ['cat-file', '--batch', '--buffer'], [...places.keys()].join('\n'))
  if (objects === undefined) throw new Error('git lists a history it cannot read.')
  return [...readObjects(objects)]
    .filter(({ type }) => type !== 'tree')
    .map(({ name, type, bytes }) => ({
      place: type === 'commit' ? `the message of commit ${name}` : `${places.get(name)} in history (${name})`,
      text: bytes.toString('latin1'),
    }))
}

/** Undefined where git is not there or does not know the folder. A checkout may belong to another account, as in CI. */
const git = (root: URL, args: readonly string[], input = ''): Buffer | undefined => {
  const { status, stdout } = spawnSync('git', ['-c', 'safe.directory=*', ...args], {
    cwd: root,
    input,
    maxBuffer: 2 ** 31 - 1,
  })
  return status === 0 ? stdout : undefined
}

/** The answer of `git cat-file --batch`: for each object its name, type and size on a line, its bytes, and a line's end. */
function* readObjects(answer: Buffer): Generator<{ name: string; type: string; bytes: Buffer }> {
  for (let at = 0; at < answer.length; ) {
    const end = answer.indexOf('\n', at)
    const [name = '', type = '', size = ''] = answer.toString('latin1', at, end).split(' ')
    const start = end + 1
    at = start + Number(size) + 1
    yield { name, type, bytes: answer.subarray(start, at - 1) }
  }
}
