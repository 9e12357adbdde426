/** In charge of counting the books anew, table by table. */
import { resources } from '@muster/model'
import { withSession } from './session.ts'

export interface Repair {
  readonly table: string
  /** How far the books of the table were off; 0 unless somebody wrote with triggers turned off. */
  readonly offBy: number
}

/** Each table is locked against writes while it is counted; reads go on. */
export const repairBooks = (connectionString: string, onRepaired: (repair: Repair) => void): Promise<void> =>
  withSession(connectionString, 'repair', async (client) => {
    await client.query("select set_config('statement_timeout', '0', false)")
    for (const { table, all } of resources) {
      const states = all.filter((field) => field.state).map(({ name }) => name)
      const { rows } = await client.query<{ off_by: string }>('select muster_rebuild_books($1, $2) as off_by', [
        table,
        states,
      ])
      onRepaired({ table, offBy: Number(rows[0]?.off_by) })
    }
  })
