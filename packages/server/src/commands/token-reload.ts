/** Reads the tokens again while the service runs. */
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Environment } from '../config/read-setting.ts'
import { isSet, readSetting } from '../config/read-setting.ts'
import { emptyTokenFiles, readTokens } from '../config/tokens.ts'
import { OperatorError } from '../errors.ts'
import type { TokenLists } from '../http/access/callers.ts'
import type { Log } from '../observability/log.ts'

/** A changed access file is in force at most this long after the change. */
const pollMs = 2_000

/** Replaces the tokens, unless a file is invalid: then all of the old ones stay in force. */
export const reloadTokens = (
  env: Environment,
  { replaceTokens }: { replaceTokens(tokens: TokenLists): void },
  { logger }: Log,
): void => {
  try {
    replaceTokens(readTokens(env))
    logger.info('The tokens were reloaded.')
    for (const warning of emptyTokenFiles(env)) logger.warn(warning)
  } catch (error) {
    if (error instanceof OperatorError)
      logger.error([`The old tokens stay in force: ${error.message}`, error.details.join('; ')].join(' ').trimEnd())
    else logger.error(error)
  }
}

/** The text of the access file; undefined if there is none, or if it cannot be read. */
export const accessFileText = async (env: Environment): Promise<string | undefined> => {
  const file = readSetting(env, 'MUSTER_ACCESS_FILE')
  return file === undefined ? undefined : readFile(file, 'utf8').catch(() => undefined)
}

/**
 * Calls `onChange` whenever the access file has another text than before, at first than `text`. A mounted file can be
 * replaced by one with the same time and size, and a watch by the operating system ends when a file is replaced.
 */
export const watchAccessFile = async (
  env: Environment,
  { text, signal, onChange }: { text: string | undefined; signal: AbortSignal; onChange: () => void },
): Promise<void> => {
  if (!isSet(env, 'MUSTER_ACCESS_FILE')) return
  let known = text
  while (!signal.aborted) {
    await pause(pollMs, undefined, { ref: false, signal }).catch(() => {})
    const latest = await accessFileText(env)
    if (signal.aborted || latest === known) continue
    known = latest
    onChange()
  }
}
