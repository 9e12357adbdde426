/** Baseline: a simple service that can list, search, get and create records, and uses count(*), OFFSET and ILIKE. */
import Fastify from 'fastify'
import pg from 'pg'
import { candidateColumns, candidateTextColumns, leaveColumns } from './statements.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = Fastify()
const searchCondition = candidateTextColumns.map((name) => `${name} ilike $1`).join(' or ')

app.get<{ Querystring: { limit?: string; offset?: string; q?: string } }>('/v1/candidates', async ({ query }) => {
  const { limit = '50', offset = '0', q } = query
  const [where, values] = q === undefined ? ['', []] : [`where ${searchCondition}`, [`%${q}%`]]
  const limitClause = `limit $${values.length + 1} offset $${values.length + 2}`
  const [page, count] = await Promise.all([
    pool.query(`select ${candidateColumns} from candidates ${where} order by id ${limitClause}`, [
      ...values,
      limit,
      offset,
    ]),
    pool.query(`select count(*)::int as total from candidates ${where}`, values),
  ])
  return { data: page.rows, total: count.rows[0].total, limit, offset }
})

app.get<{ Params: { id: string } }>('/v1/candidates/:id', async ({ params }, reply) => {
  const { rows } = await pool.query(`select ${candidateColumns} from candidates where id = $1`, [params.id])
  return rows.length === 0 ? reply.code(404).send({ error: 'not found' }) : rows[0]
})

app.post<{ Body: Record<string, unknown> }>('/v1/leave', async ({ body }, reply) => {
  const names = leaveColumns.split(', ')
  const insertSql = `insert into leave_requests (${leaveColumns}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning id`
  const { rows } = await pool.query(
    insertSql,
    names.map((name) => body[name]),
  )
  return reply.code(201).send({ id: rows[0].id, ...body })
})

await app.listen({ host: process.env.HOST ?? '127.0.0.1', port: Number(process.env.PORT) })
process.on('SIGTERM', () => process.exit(0))
