/** Files that get their name when they are complete, so that an aborted export never looks complete. */
import { createHash, randomBytes } from 'node:crypto'
import { readlinkSync, rmSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { constants, hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { OperatorError } from '../errors.ts'

export interface PartialFile {
  open(): Promise<Writable>
  /** Gives the file its name. */
  close(): Promise<void>
}

/** A file on another machine was abandoned if nothing was written to it for this long: its process cannot be seen. */
const maxPauseMs = 3_600_000

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * The data is written to another file in the same folder. Its name cannot be guessed, so nobody can put a link there that
 * leads to another file. The name also tells the next export whether the process that writes the file still runs.
 */
export const partialFile = (file: string): PartialFile => {
  const partial = `${file}.${machine}-${process.pid}-${randomBytes(6).toString('hex')}.partial`
  const onSignal = (signal: NodeJS.Signals): void => {
    rmSync(partial, { force: true })
    // The exit code of shells for a process that a signal has ended.
    process.exit(128 + constants.signals[signal])
  }
  const removeListeners = (): void => {
    for (const signal of endingSignals) process.off(signal, onSignal)
  }
  return {
    async open() {
      await removeAbandoned(file)
      // Before the file exists: a signal must not leave it.
      for (const signal of endingSignals) process.on(signal, onSignal)
      const handle = await openToWrite(partial, file).catch((error: unknown) => {
        removeListeners()
        throw error
      })
      const out = handle.createWriteStream()
      out.once('error', () => {
        removeListeners()
        void rm(partial, { force: true })
      })
      return out
    },
    async close() {
      try {
        await rename(partial, file)
      } catch (error) {
        await rm(partial, { force: true })
        throw cannotWrite(file, error)
      } finally {
        removeListeners()
      }
    },
  }
}

/** On Linux, a container has its own process ids. Two containers may have the same host name. */
const readPidNamespace = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** Where the process id is valid. Hashed, because a host name may be long. */
const machine = createHash('sha256').update(`${hostname()} ${readPidNamespace()}`).digest('hex').slice(0, 8)

/** Exports contain personal values, so only their owner can read them. */
const openToWrite = async (partial: string, file: string): Promise<FileHandle> => {
  try {
    return await open(partial, 'wx', 0o600)
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

const cannotWrite = (file: string, cause: unknown): OperatorError => {
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
  return new OperatorError(`${file} cannot be written (${reason}): name another file.`, { cause })
}

/** A process that is killed with SIGKILL, or whose machine stops, leaves its partial file. */
const removeAbandoned = async (file: string): Promise<void> => {
  const folder = dirname(file)
  const prefix = `${basename(file)}.`
  // An error of the folder is reported when the file is opened.
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const writer = name.startsWith(prefix) ? partialName.exec(name.slice(prefix.length)) : null
    if (writer === null) continue
    const path = join(folder, name)
    if (await isAbandoned(path, writer[1] as string, Number(writer[2]))) await rm(path, { force: true }).catch(() => {})
  }
}

const partialName = /^([\da-f]{8})-(\d{1,10})-[\da-f]{12}\.partial$/

const isAbandoned = async (path: string, writerMachine: string, pid: number): Promise<boolean> => {
  // In a restarted container, this process can have the id of the one that was killed.
  if (writerMachine === machine && (pid === process.pid || !isRunning(pid))) return true
  const stats = await stat(path).catch(() => undefined)
  return stats !== undefined && Date.now() - stats.mtimeMs > maxPauseMs
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
