import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { OperatorError } from '../errors.ts'
import { statsOf } from './exists.ts'

/** Creates the folder and its missing parents. */
export const makeFolder = async (folder: string): Promise<void> => {
  try {
    await makeParentsAndFolder(resolve(folder))
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
    throw new OperatorError(`The folder ${folder} cannot be created (${reason}): name another folder.`, { cause })
  }
}

/**
 * Creates one folder at a time, because a recursive `mkdir` never returns if creating a folder fails with ENOENT, as in
 * /proc.
 */
const makeParentsAndFolder = async (folder: string): Promise<void> => {
  if (await isFolder(folder)) return
  if (dirname(folder) !== folder) await makeParentsAndFolder(dirname(folder))
  try {
    await mkdir(folder)
  } catch (error) {
    // Not an error if another process has created the folder meanwhile.
    if (!(await isFolder(folder))) throw error
  }
}

const isFolder = async (path: string): Promise<boolean> => (await statsOf(path))?.isDirectory() ?? false
