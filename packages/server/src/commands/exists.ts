import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'

/** Undefined if there is no such file. Throws if that cannot be seen, for lack of a permission for example. */
export const statsOf = async (path: string): Promise<Stats | undefined> => {
  try {
    return await stat(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw error
  }
}

export const exists = async (path: string): Promise<boolean> => (await statsOf(path)) !== undefined
