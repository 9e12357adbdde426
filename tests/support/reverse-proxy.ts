/** Starts nginx, haproxy and Varnish with the configuration in deploy/reverse-proxies, and Redis. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@muster/demo-data/embedded-postgres'
import { deployFile } from './deploy-file.ts'
import { killAtExit } from './kill-at-exit.ts'

export interface ReverseProxy {
  readonly port: number
  stop(): Promise<void>
}

export const startNginx = (...servicePorts: readonly number[]): Promise<ReverseProxy> =>
  startNginxWith(servicePorts, [])

/** Starts nginx with the change that deploy/reverse-proxies/README.md shows for a path of a host. */
export const startNginxBelowPath = (...servicePorts: readonly number[]): Promise<ReverseProxy> =>
  startNginxWith(servicePorts, [
    [
      'location / {\n    proxy_pass http://muster;\n',
      'location /hr/ {\n    proxy_pass http://muster/;\n    proxy_redirect / /hr/;\n',
    ],
  ])

const startNginxWith = async (
  servicePorts: readonly number[],
  changes: readonly (readonly [string, string])[],
): Promise<ReverseProxy> => {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'muster-nginx-'))
  const proxyConfig = await deployFile('reverse-proxies/nginx.conf', [
    ['server 127.0.0.1:8080;', servicePorts.map((servicePort) => `server 127.0.0.1:${servicePort};`).join('\n  ')],
    ['listen 80;', `listen 127.0.0.1:${port};`],
    ['/var/log/nginx/', ''],
    ...changes,
  ])
  const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`)
  const mainConfig = `daemon off; pid nginx.pid; error_log stderr;
events {}
http { ${tempPaths.join(' ')}
${proxyConfig}
}
`
  await writeFile(join(folder, 'nginx.conf'), mainConfig)
  return startProgram('nginx', ['-e', 'stderr', '-p', folder, '-c', 'nginx.conf'], { folder, port })
}

export const startHaproxy = async (...servicePorts: readonly number[]): Promise<ReverseProxy> => {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'muster-haproxy-'))
  const text = await deployFile('reverse-proxies/haproxy.cfg', [
    [
      'server muster 127.0.0.1:8080',
      servicePorts.map((servicePort, index) => `server muster-${index} 127.0.0.1:${servicePort}`).join('\n  '),
    ],
    ['bind :80 ', `bind 127.0.0.1:${port} `],
  ])
  await writeFile(join(folder, 'haproxy.cfg'), text)
  return startProgram('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { folder, port })
}

export const startVarnish = async (servicePort: number): Promise<ReverseProxy> => {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'muster-varnish-'))
  const text = await deployFile('reverse-proxies/varnish.vcl', [['.port = "8080";', `.port = "${servicePort}";`]])
  await writeFile(join(folder, 'default.vcl'), text)
  // -F: in the foreground. Without a jail, because tests may run as any user.
  const args = ['-F', '-j', 'none', '-n', join(folder, 'state'), '-f', join(folder, 'default.vcl'), '-s', 'malloc,64m']
  return startProgram('varnishd', [...args, '-a', `127.0.0.1:${port}`, '-T', 'none'], { folder, port })
}

export const startRedis = async (port?: number): Promise<ReverseProxy> => {
  const redisPort = port ?? (await freePort())
  const folder = await mkdtemp(join(tmpdir(), 'muster-redis-'))
  const args = ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  return startProgram('redis-server', args, { folder, port: redisPort })
}

/** Starts a program in the foreground, and resolves once it listens on the port. `stop` deletes the folder. */
export const startProgram = async (
  program: string,
  args: readonly string[],
  { folder, port }: { folder: string; port: number },
): Promise<ReverseProxy> => {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  killAtExit(child)
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const exitPromise = once(child, 'close')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exitPromise
    await rm(folder, { recursive: true })
  }
  const exitError = exitPromise.then(() => {
    throw new Error(`${program} exited: ${output}`)
  })
  await Promise.race([waitUntilListening(port), exitError])
  exitError.catch(() => {})
  return { port, stop }
}

const waitUntilListening = async (port: number): Promise<void> => {
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
