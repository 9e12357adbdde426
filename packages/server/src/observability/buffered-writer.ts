/** Writes lines to a file descriptor in blocks, in order, without blocking. */
import { write, writeSync } from 'node:fs'

/** Lines are collected into blocks, because one system call per line would cost more than serving a request. */
const blockBytes = 65_536
/** How often buffered lines are written, and the pause before a write that failed with EAGAIN is retried. */
const flushMs = 100
/** If the output is not read, at most this many blocks are queued. Further ones are dropped. */
const maxQueuedBlocks = 256

export class BufferedWriter {
  readonly #descriptor: number
  #block = Buffer.allocUnsafeSlow(blockBytes)
  #used = 0
  readonly #queue: Buffer[] = []
  /** True while the first block of the queue is being written. */
  #writing = false

  constructor(descriptor: number) {
    this.#descriptor = descriptor
    setInterval(() => this.#flush(), flushMs).unref()
    process.once('exit', () => this.#flushSync())
  }

  write(line: string): void {
    // A UTF-16 code unit takes at most three bytes in UTF-8.
    if (line.length * 3 > blockBytes - this.#used) this.#flush()
    if (line.length * 3 > blockBytes) this.#enqueue(Buffer.from(line))
    else this.#used += this.#block.write(line, this.#used)
  }

  /** Queues the filled part of the block for writing, and starts a new block. */
  #flush(): void {
    if (this.#used === 0) return
    const filled = this.#block.subarray(0, this.#used)
    this.#block = Buffer.allocUnsafeSlow(blockBytes)
    this.#used = 0
    this.#enqueue(filled)
  }

  #enqueue(block: Buffer): void {
    if (this.#queue.length === maxQueuedBlocks) return
    this.#queue.push(block)
    if (!this.#writing) this.#writeNext()
  }

  #writeNext(): void {
    const [block] = this.#queue
    if (block === undefined) return
    this.#writing = true
    write(this.#descriptor, block, (error, written) => {
      this.#writing = false
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#writeNext(), flushMs).unref()
        return
      }
      // After an error the block is dropped: there is nowhere else to report it.
      if (error !== null || written === block.length) this.#queue.shift()
      else this.#queue[0] = block.subarray(written)
      this.#writeNext()
    })
  }

  /** Writes the remaining blocks on exit, when asynchronous writes no longer complete. */
  #flushSync(): void {
    const remaining = [...this.#queue.slice(this.#writing ? 1 : 0), this.#block.subarray(0, this.#used)]
    for (const block of remaining) {
      try {
        writeSync(this.#descriptor, block)
      } catch {
        return
      }
    }
  }
}
