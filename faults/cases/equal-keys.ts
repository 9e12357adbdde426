/** Twins: many creates with one key at the same moment, one of them with another body, make one record. */
import type { Answer, Client } from '../client.ts'
import { openClient } from '../client.ts'
import { markOf, readStored } from '../creates.ts'
import type { Fault, Outcome } from '../fault.ts'
import { nothing, unless } from '../fault.ts'
import type { House } from '../house.ts'

const twins = 50
const keysAtOnce = 4

interface Twin {
  readonly mark: string
  readonly answer: Answer
}

/** Tries again where it was told to. */
const send = async (client: Client, mark: string, headers: Record<string, string>): Promise<Twin> => {
  for (;;) {
    const answer = await client.ask('/api/v1/organization-teams', {
      method: 'POST',
      body: { organization_id: 1, name: mark },
      headers,
    })
    if (answer.status !== 503) return { mark, answer }
  }
}

const together = async (house: House, keys: number, keyed: boolean): Promise<Outcome> => {
  const { url } = await house.cluster()
  const { origin } = await house.service({ databaseUrl: url })
  const client = openClient(origin, twins * keysAtOnce)
  const sent = new Map<string, Twin[]>()
  let next = 0
  const work = async (): Promise<void> => {
    while (next < keys) {
      const key = markOf(`${next++}`)
      const headers: Record<string, string> = keyed ? { 'idempotency-key': key } : {}
      // Among the first, so that it is sometimes the odd body that is stored, and the others that differ.
      const odd = next % 3
      const sending = Array.from({ length: twins }, (_, number) =>
        send(client, number === odd ? `${key}-odd` : `${key}-same`, headers),
      )
      sent.set(key, await Promise.all(sending))
    }
  }
  await Promise.all(Array.from({ length: keysAtOnce }, work))
  client.close()

  const stored = Map.groupBy(await readStored(url), ({ mark }) => mark.replace(/-(odd|same)$/, ''))
  let duplicated = 0
  let lost = 0
  const wrong: string[] = []
  const count = { created: 0, replayed: 0, refused: 0, odd: 0 }
  for (const [key, answers] of sent) {
    const [row, ...more] = stored.get(key) ?? []
    duplicated += more.length
    if (row === undefined) lost += 1
    if (row?.mark.endsWith('-odd')) count.odd += 1
    for (const { mark, answer } of answers) {
      const { status, text, headers } = answer
      if (status === 201 && headers['idempotent-replayed'] === 'true') count.replayed += 1
      else if (status === 201) count.created += 1
      else if (status === 422) count.refused += 1
      const isRight =
        mark === row?.mark
          ? status === 201 && JSON.parse(text).id === row.id
          : status === 422 && JSON.parse(text).error.code === 'idempotency_key_reused'
      if (!isRight) wrong.push(`${mark}: ${status} ${text.slice(0, 80)}`)
    }
  }
  return {
    ...nothing,
    fired: sent.size,
    acknowledged: count.created + count.replayed,
    lost,
    duplicated,
    slowestMs: Math.max(...[...sent.values()].flat().map(({ answer }) => answer.ms)),
    broken: unless(
      [lost === 0, 'nothing lost', `${lost} keys have no record`],
      [duplicated === 0, 'nothing twice', `${duplicated} records more than keys`],
      [wrong.length === 0, 'answers', `${wrong.length} answers, such as ${wrong[0]}`],
    ),
    notes: [
      `${sent.size} keys × ${twins}: ${count.created} created, ${count.replayed} replayed, ${count.refused} refused; the odd body was first ${count.odd} times`,
    ],
  }
}

export const equalKeys: Fault = {
  name: 'equal-keys',
  run: (house) => together(house, house.size(200, 20), true),
  control: {
    about: 'without keys',
    breaks: 'nothing twice',
    run: (house) => together(house, 2, false),
  },
}
