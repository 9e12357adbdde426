/** In charge of keeping things by name within a bound of bytes: what was used longest ago goes first. */

export class SizedMap<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly bytes: number }>()
  readonly maxBytes: number
  #bytes = 0
  #evictions = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** How many had to go to make room. */
  get evictions(): number {
    return this.#evictions
  }

  get(name: string): T | undefined {
    const entry = this.#entries.get(name)
    if (entry === undefined) return undefined
    // A map remembers the order of insertion: put in again, the entry is the youngest.
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    return entry.value
  }

  set(name: string, value: T, size: number): void {
    this.delete(name)
    const bytes = size + name.length * 2
    if (bytes > this.maxBytes) return
    this.#entries.set(name, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.maxBytes) break
      this.delete(oldest)
      this.#evictions += 1
    }
  }

  delete(name: string): void {
    const entry = this.#entries.get(name)
    if (entry === undefined) return
    this.#entries.delete(name)
    this.#bytes -= entry.bytes
  }
}
