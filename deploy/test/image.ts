/** In charge of what an image would hold, put into a folder as the Dockerfile says it; no container engine is needed. */
import { execFile } from 'node:child_process'
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')

export interface Image {
  /** Stands for the root of its file system. */
  readonly folder: string
  readonly workingFolder: string
  /** A Node that every account may run. */
  readonly node: string
  remove(): Promise<void>
}

interface Stage {
  readonly name: string
  readonly folder: string
  workingFolder: string
}

export const buildImage = async (): Promise<Image> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-image-'))
  await chmod(folder, 0o755)
  const text = await readFile(join(root, 'deploy', 'Dockerfile'), 'utf8')
  const ignored = new Set((await readFile(join(root, '.dockerignore'), 'utf8')).match(/(?<=^\*\*\/)\S+$/gm) ?? [])
  const stages: Stage[] = []
  for (const line of text.split('\n')) {
    const [instruction = '', ...words] = line.trim().split(/\s+/)
    const stage = stages.at(-1) as Stage
    if (instruction === 'FROM') {
      const own = join(folder, `stage-${stages.length}`)
      stages.push({ name: words[2] ?? 'last', folder: own, workingFolder: own })
    } else if (instruction === 'WORKDIR') {
      stage.workingFolder = join(stage.folder, words[0] as string)
      await mkdir(stage.workingFolder, { recursive: true })
    } else if (instruction === 'COPY') {
      await copy(stage, stages, words, ignored)
    } else if (instruction === 'RUN') {
      const [command = '', ...args] = JSON.parse(words.join(' ')) as string[]
      await run(command, args, { cwd: stage.workingFolder })
    }
  }
  const last = stages.at(-1) as Stage
  const node = join(folder, 'node')
  await copyFile(process.execPath, node)
  await chmod(node, 0o755)
  return {
    folder: last.folder,
    workingFolder: last.workingFolder,
    node,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A folder's content goes into the target, a file into it under its own name. */
const copy = async (
  stage: Stage,
  stages: readonly Stage[],
  words: readonly string[],
  ignored: ReadonlySet<string>,
): Promise<void> => {
  const from = words[0]?.startsWith('--from=') ? words[0].slice('--from='.length) : undefined
  const sources = words.slice(from === undefined ? 0 : 1, -1)
  const target = join(stage.workingFolder, words.at(-1) as string)
  await mkdir(target, { recursive: true })
  for (const source of sources) {
    const origin =
      from === undefined ? join(root, source) : join(stages.find(({ name }) => name === from)?.folder as string, source)
    const isFile = /\.\w+$/.test(basename(source))
    await cp(origin, isFile ? join(target, basename(source)) : target, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => from !== undefined || !ignored.has(basename(path)),
    })
  }
}
