/** In charge of what stands around a service under test: nginx and haproxy as we configure them, and Redis. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../scripts/free-port.ts'

export interface Front {
  readonly port: number
  stop(): Promise<void>
}

export const startNginx = async (...servicePorts: readonly number[]): Promise<Front> => {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'muster-nginx-'))
  const published = await publishedText('nginx.conf', [
    ['server 127.0.0.1:8080;', servicePorts.map((own) => `server 127.0.0.1:${own};`).join('\n  ')],
    ['listen 80;', `listen 127.0.0.1:${port};`],
  ])
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`)
  const main = `daemon off; pid nginx.pid; error_log stderr;
events {}
http { access_log off; ${places.join(' ')}
${published}
}
`
  await writeFile(join(folder, 'nginx.conf'), main)
  return start('nginx', ['-e', 'stderr', '-p', folder, '-c', 'nginx.conf'], { folder, port })
}

export const startHaproxy = async (...servicePorts: readonly number[]): Promise<Front> => {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'muster-haproxy-'))
  const text = await publishedText('haproxy.cfg', [
    [
      'server muster 127.0.0.1:8080',
      servicePorts.map((own, index) => `server muster-${index} 127.0.0.1:${own}`).join('\n  '),
    ],
    ['bind :80 ', `bind 127.0.0.1:${port} `],
  ])
  await writeFile(join(folder, 'haproxy.cfg'), text)
  return start('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { folder, port })
}

export const startRedis = async (port?: number): Promise<Front> => {
  const own = port ?? (await freePort())
  const folder = await mkdtemp(join(tmpdir(), 'muster-redis-'))
  const args = ['--port', String(own), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  return start('redis-server', args, { folder, port: own })
}

/** The file as it is published, with the addresses of the test in place of the usual ones. */
const publishedText = async (name: string, replaced: readonly (readonly [string, string])[]): Promise<string> => {
  let text = await readFile(new URL(name, import.meta.url), 'utf8')
  for (const [usual, own] of replaced) {
    if (!text.includes(usual)) throw new Error(`fronts/${name} does not hold "${usual}"`)
    text = text.replace(usual, own)
  }
  return text
}

const start = async (
  program: string,
  args: readonly string[],
  { folder, port }: { folder: string; port: number },
): Promise<Front> => {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  const ended = once(child, 'close')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true })
  }
  const failed = ended.then(() => {
    throw new Error(`${program} ended: ${said}`)
  })
  await Promise.race([listening(port), failed])
  failed.catch(() => {})
  return { port, stop }
}

const listening = async (port: number): Promise<void> => {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    } finally {
      socket.destroy()
    }
  }
}
