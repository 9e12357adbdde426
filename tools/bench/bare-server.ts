/** Baseline: a plain node:http server that responds to every request with the content of one file. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const body = readFileSync(process.argv[2] ?? '')
const headers = { 'content-type': 'application/json', 'content-length': body.length }

createServer((_, response) => {
  response.writeHead(200, headers)
  response.end(body)
}).listen(Number(process.env.PORT), process.env.HOST)

process.on('SIGTERM', () => process.exit(0))
