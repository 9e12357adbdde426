/** Executes the instructions of the Dockerfile in a folder, because no container engine is available in tests. */
import { execFile } from 'node:child_process'
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

const runProgram = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')

export interface Image {
  /** Root of the image's file system. */
  readonly folder: string
  readonly workingFolder: string
  /** Path of a copy of the Node.js binary that every account can execute. */
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
  const dockerfile = await readFile(join(root, 'deploy', 'Dockerfile'), 'utf8')
  const ignoredNames = new Set((await readFile(join(root, '.dockerignore'), 'utf8')).match(/(?<=^\*\*\/)\S+$/gm) ?? [])
  const stages: Stage[] = []
  for (const line of dockerfile.split('\n')) {
    const [instruction = '', ...words] = line.trim().split(/\s+/)
    const stage = stages.at(-1) as Stage
    if (instruction === 'FROM') {
      const stageFolder = join(folder, `stage-${stages.length}`)
      stages.push({ name: words[2] ?? 'last', folder: stageFolder, workingFolder: stageFolder })
    } else if (instruction === 'WORKDIR') {
      stage.workingFolder = join(stage.folder, words[0] as string)
      await mkdir(stage.workingFolder, { recursive: true })
    } else if (instruction === 'COPY') {
      await executeCopy(stage, stages, words, ignoredNames)
    } else if (instruction === 'RUN') {
      const [command = '', ...args] = JSON.parse(words.join(' ')) as string[]
      await runProgram(command, args, { cwd: stage.workingFolder })
    }
  }
  const lastStage = stages.at(-1) as Stage
  const node = join(folder, 'node')
  await copyFile(process.execPath, node)
  await chmod(node, 0o755)
  return {
    folder: lastStage.folder,
    workingFolder: lastStage.workingFolder,
    node,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Like the COPY instruction: copies the content of a folder, or a file under its own name. */
const executeCopy = async (
  stage: Stage,
  stages: readonly Stage[],
  argumentWords: readonly string[],
  ignoredNames: ReadonlySet<string>,
): Promise<void> => {
  const fromStage = argumentWords[0]?.startsWith('--from=') ? argumentWords[0].slice('--from='.length) : undefined
  const sources = argumentWords.slice(fromStage === undefined ? 0 : 1, -1)
  const target = join(stage.workingFolder, argumentWords.at(-1) as string)
  await mkdir(target, { recursive: true })
  for (const source of sources) {
    const sourcePath =
      fromStage === undefined
        ? join(root, source)
        : join(stages.find(({ name }) => name === fromStage)?.folder as string, source)
    const isFile = /\.\w+$/.test(basename(source))
    await cp(sourcePath, isFile ? join(target, basename(source)) : target, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => fromStage !== undefined || !ignoredNames.has(basename(path)),
    })
  }
}
