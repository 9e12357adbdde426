/** Creates a folder and its missing parents. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { OperatorError } from '../errors.ts'

export const makeFolder = async (folder: string): Promise<void> => {
  try {
    await makeEach(resolve(folder))
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
    throw new OperatorError(`The folder ${folder} cannot be created (${reason}): name another place.`, { cause })
  }
}

/** One at a time: `mkdir` with `recursive` never ends in a folder that refuses new ones with ENOENT, such as /proc. */
const makeEach = async (folder: string): Promise<void> => {
  if (await isFolder(folder)) return
  if (dirname(folder) !== folder) await makeEach(dirname(folder))
  try {
    await mkdir(folder)
  } catch (error) {
    // Created by another process meanwhile.
    if (!(await isFolder(folder))) throw error
  }
}

const isFolder = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ?? false
}
