import { resourceAt } from '@muster/model'
import { fieldsSchema, resourceSchema } from '../arguments.ts'
import { selectFields } from '../records.ts'
import { tool } from '../tool.ts'

interface GetArguments {
  readonly resource: string
  readonly id: number
  readonly fields?: readonly string[]
}

export const get = tool<GetArguments>({
  name: 'get',
  description: 'One record by its id.',
  properties: {
    resource: resourceSchema,
    id: { type: 'integer', minimum: 1 },
    fields: { ...fieldsSchema, description: 'As in list' },
  },
  required: ['resource', 'id'],
  async run({ resource: path, id, fields }, api) {
    const selection = selectFields(resourceAt(path), fields)
    const record = await api.get(`/v1/${path}/${id}`, selection.query)
    return {
      about: selection.leftOut.length === 0 ? {} : { left_out: selection.leftOut },
      rows: [selection.rowOf(record)],
      offset: 0,
      total: 1,
    }
  },
})
