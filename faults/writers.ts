/** In charge of writers: many at once, each creating one record after another and trying again until it knows what became of it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Client } from './client.ts'
import type { Create } from './creates.ts'
import { creates, markOf } from './creates.ts'
import type { History } from './history.ts'

export interface WritersOptions {
  readonly client: Client
  readonly history: History
  readonly count: number
  /** Whether creates carry an Idempotency-Key. */
  readonly keys: boolean
  readonly among?: readonly Create[]
  /** Done after each create instead of a look at some. */
  readonly readBack?: (create: Create, mark: string, id: number) => Promise<void>
}

export interface Writers {
  /** Creates that were tried for the first time. */
  readonly begun: number
  /** Resolves when every create in hand is settled, or after some tries in vain. */
  stop(): Promise<void>
}

/** What a client that was told to come back later does, only more often. */
const betweenTriesMs = 50
/** Tries after the end of the run: enough for a server to come back, and an end where it does not. */
const lastTries = 60

export const startWriters = (options: WritersOptions): Writers => {
  const { client, history, count, keys, among = creates } = options
  let stopping = false
  let begun = 0

  const attempt = async ({ route, body }: Create, mark: string): Promise<Answer | undefined> => {
    const start = performance.now()
    const headers: Record<string, string> = keys ? { 'idempotency-key': mark } : {}
    const answer = await client
      .ask(`/api/v1/${route}`, { method: 'POST', body: body(mark), headers })
      .catch(() => undefined)
    const done = answer?.status === 201 ? { id: idOf(answer) } : {}
    history.attempted({ route, mark, start, end: performance.now(), status: answer?.status, ...done })
    return answer
  }

  const settle = async (create: Create, mark: string): Promise<number | undefined> => {
    for (let tries = 0; tries < lastTries; tries += stopping ? 1 : 0) {
      const answer = await attempt(create, mark)
      if (answer?.status === 201) return idOf(answer)
      if (answer !== undefined && answer.status !== 503) return undefined
      await pause(betweenTriesMs)
    }
    return undefined
  }

  const readBack = async ({ route }: Create, mark: string, id: number): Promise<void> => {
    const record = await client.ask(`/api/v1/${route}/${id}`).catch(() => undefined)
    if (record !== undefined && record.status !== 503) history.read({ mark, shown: record.text.includes(mark) })
    const start = performance.now()
    const list = await client.ask(`/api/v1/${route}?limit=1`).catch(() => undefined)
    if (list?.status === 200)
      history.counted({ route, start, end: performance.now(), total: JSON.parse(list.text).meta.total })
  }

  const write = async (writer: number): Promise<void> => {
    for (let turn = 0; !stopping; turn += 1) {
      const create = among[(writer + turn) % among.length] as Create
      const mark = markOf(`${writer}-${turn}`)
      begun += 1
      const id = await settle(create, mark)
      if (id === undefined) continue
      if (options.readBack !== undefined) await options.readBack(create, mark, id)
      else if (turn % 4 === 0) await readBack(create, mark, id)
    }
  }

  const writing = Promise.all(Array.from({ length: count }, (_, writer) => write(writer)))
  return {
    get begun() {
      return begun
    },
    async stop() {
      stopping = true
      await writing
    },
  }
}

const idOf = ({ text }: Answer): number => (JSON.parse(text) as { id: number }).id
