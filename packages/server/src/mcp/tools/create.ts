import { resourceAt, resources } from '@muster/model'
import { selectFields } from '../records.ts'
import { tool } from '../tool.ts'

interface CreateArguments {
  readonly resource: string
  readonly record: object
}

export const create = tool<CreateArguments>({
  name: 'create',
  description:
    'Creates a record. If the same record was created within 24 hours, returns that one, with "replayed": true.',
  properties: {
    resource: { enum: resources.filter(({ creatable }) => creatable).map(({ path }) => path) },
    record: {
      type: 'object',
      description: 'Fields by name; see describe',
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    },
  },
  required: ['resource', 'record'],
  writes: true,
  async run({ resource: path, record }, api) {
    const created = await api.create(`/v1/${path}`, record)
    const { rowOf } = selectFields(resourceAt(path), undefined)
    return { about: { replayed: created.replayed }, rows: [rowOf(created.record)], offset: 0, total: 1 }
  },
})
