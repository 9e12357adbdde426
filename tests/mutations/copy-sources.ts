/** Copies of the sources in which a mutation is applied, so that the working tree stays as it is. */
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutation } from './mutation.ts'
import { mutate } from './mutation.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Folders with files that a mutation may change, or that import such files. All others are links. */
const copiedFolders = ['packages', 'tests', 'tools']
const ignoredNames = ['.git', 'node_modules']
/**
 * A dependency of the server that is copied instead of linked. Workers may read only the folders in which packages are
 * installed, and one package in the folder of the links is enough.
 */
const copiedPackage = 'ipaddr.js'

/**
 * Copies the sources, with the builds of the console and the documents if they exist, and links the installed packages,
 * so that @muster/* resolves to the copied workspaces. Returns the path of the copy.
 */
export const copySources = async (): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'muster-mutations-'))
  const rootNames = (await readdir(root)).filter((name) => !ignoredNames.includes(name))
  for (const name of rootNames) {
    if (copiedFolders.includes(name))
      await cp(join(root, name), join(copy, name), {
        recursive: true,
        filter: (path) => !path.includes('node_modules'),
      })
    // Node finds the root of a package by its package.json, and must find the root of the copy.
    else if (name === 'package.json') await cp(join(root, name), join(copy, name))
    else await symlink(join(root, name), join(copy, name))
  }
  await mkdir(join(copy, 'node_modules', '@muster'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules'))) {
    const [installed, linked] = [join(root, 'node_modules', name), join(copy, 'node_modules', name)]
    if (name === copiedPackage) await cp(installed, linked, { recursive: true })
    else if (name !== '@muster') await symlink(installed, linked)
  }
  for (const name of await readdir(join(root, 'packages')))
    await symlink(join(copy, 'packages', name), join(copy, 'node_modules', '@muster', name))
  return copy
}

/** Changes the file in the copy. The returned function restores it. */
export const applyMutation = async (copy: string, mutation: Mutation): Promise<() => Promise<void>> => {
  const path = join(copy, mutation.file)
  const text = await readFile(path, 'utf8')
  await writeFile(path, mutate(text, mutation))
  return () => writeFile(path, text)
}
