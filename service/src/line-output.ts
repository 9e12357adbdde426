/** In charge of writing lines to a file descriptor: gathered in blocks, in order, and never waited for. */
import { write, writeSync } from 'node:fs'

/** A system call per line would cost more than what the line tells of. */
const blockBytes = 65_536
const pauseMs = 100
/** Where nobody takes the lines, no more than these wait; later ones are lost, and the service goes on. */
const maxWaiting = 256

export class LineOutput {
  readonly #descriptor: number
  #block = Buffer.allocUnsafeSlow(blockBytes)
  #used = 0
  readonly #waiting: Buffer[] = []
  /** The first of those waiting is with the operating system. */
  #writing = false

  constructor(descriptor: number) {
    this.#descriptor = descriptor
    setInterval(() => this.#hand(), pauseMs).unref()
    process.once('exit', () => this.#writeRest())
  }

  write(line: string): void {
    // A character takes three bytes at most for each of its places in the string.
    if (line.length * 3 > blockBytes - this.#used) this.#hand()
    if (line.length * 3 > blockBytes) this.#add(Buffer.from(line))
    else this.#used += this.#block.write(line, this.#used)
  }

  /** Hands over the block as far as it is filled, and begins a new one. */
  #hand(): void {
    if (this.#used === 0) return
    const filled = this.#block.subarray(0, this.#used)
    this.#block = Buffer.allocUnsafeSlow(blockBytes)
    this.#used = 0
    this.#add(filled)
  }

  #add(block: Buffer): void {
    if (this.#waiting.length === maxWaiting) return
    this.#waiting.push(block)
    if (!this.#writing) this.#writeNext()
  }

  #writeNext(): void {
    const [block] = this.#waiting
    if (block === undefined) return
    this.#writing = true
    write(this.#descriptor, block, (error, written) => {
      this.#writing = false
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#writeNext(), pauseMs).unref()
        return
      }
      // Nobody is left to be told that the log cannot be written.
      if (error !== null || written === block.length) this.#waiting.shift()
      else this.#waiting[0] = block.subarray(written)
      this.#writeNext()
    })
  }

  #writeRest(): void {
    const rest = [...this.#waiting.slice(this.#writing ? 1 : 0), this.#block.subarray(0, this.#used)]
    for (const block of rest) {
      try {
        writeSync(this.#descriptor, block)
      } catch {
        return
      }
    }
  }
}
