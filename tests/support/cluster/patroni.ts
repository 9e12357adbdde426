/** Three etcd members, three Patroni members and haproxy on 127.0.0.1, with the files in deploy/patroni. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from '@muster/demo-data/embedded-postgres'
import { chownTo } from '@muster/demo-data/embedded-postgres'
import { deployFile } from '../deploy-file.ts'
import { signalProcess, signalWithChildren } from '../process-signals.ts'
import { startProgram } from '../reverse-proxy.ts'
import { stablePort } from '../stable-port.ts'
import { waitUntil } from '../wait.ts'
import type { Cleanup } from './cleanup.ts'
import { writePgbackrestConfig } from './pgbackrest.ts'
import type { PostgresInstallation, PostgresServer } from './postgres.ts'
import { executeAt } from './postgres.ts'

export interface PatroniOptions {
  /** With false, replication is asynchronous. */
  readonly synchronous: boolean
  /**
   * Returns the port through which a member reaches etcd ("db1 etcd"), or the other members reach its PostgreSQL
   * ("db1 postgres"). A chaos test puts a relay there.
   */
  readonly exposePort: (name: string, port: number) => Promise<number>
}

export interface PatroniMember extends Pick<PostgresServer, 'port' | 'execute'> {
  readonly name: string
  readonly pgbackrestConfig: string
  /** Whether Patroni says that this member is the leader. */
  isLeader(): Promise<boolean>
  /** Sends a signal to Patroni and to all processes of its PostgreSQL server. After SIGKILL they are gone. */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>
  signalPatroni(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

export interface PatroniCluster {
  readonly members: readonly PatroniMember[]
  /** With this file in its environment, patronictl may change something. */
  readonly passwordFile: string
  /** Port of haproxy at which the current leader is reached. */
  readonly primaryPort: number
  /** The leader in the view of all members. Waits until they agree and both other members are streaming from it. */
  waitUntilComplete(): Promise<{ leader: PatroniMember; standby: PatroniMember }>
  /** Makes the standby the leader, in an orderly way. */
  switchOver(from: PatroniMember, to: PatroniMember): Promise<void>
}

const names = ['db1', 'db2', 'db3'] as const
/** The addresses of these machines in the files of deploy/patroni. */
const addresses = ['10.0.0.11', '10.0.0.12', '10.0.0.13'] as const
/** The content of /etc/patroni_env.conf in deploy/patroni/README.md. */
const passwords = {
  PATRONI_REPLICATION_PASSWORD: 'only-on-loopback-1',
  PATRONI_REWIND_PASSWORD: 'only-on-loopback-2',
  PATRONI_RESTAPI_USERNAME: 'patroni',
  PATRONI_RESTAPI_PASSWORD: 'only-on-loopback-3',
}
const startTimeoutMs = 90_000
const stopTimeoutMs = 20_000

export const startPatroniCluster = async (
  installation: PostgresInstallation,
  { synchronous, exposePort }: PatroniOptions,
  addCleanup: Cleanup['add'],
): Promise<PatroniCluster> => {
  const passwordFile = join(installation.folder, 'patroni_env.conf')
  await writeFile(
    passwordFile,
    Object.entries(passwords)
      .map((entry) => `${entry.join('=')}\n`)
      .join(''),
  )
  const takePort = distinctPorts()
  const etcdPorts = await startEtcd(installation, takePort, addCleanup)
  const members: ManagedMember[] = []
  for (const name of names) {
    const exposedEtcdPorts = await Promise.all(etcdPorts.map((port) => exposePort(`${name} etcd`, port)))
    const port = await takePort()
    const member = await openMember(installation, {
      name,
      port,
      apiPort: await takePort(),
      exposedPort: await exposePort(`${name} postgres`, port),
      etcdPorts: exposedEtcdPorts,
      hasRelays: exposedEtcdPorts.some((exposedPort) => !etcdPorts.includes(exposedPort)),
      synchronous,
    })
    members.push(member)
  }
  addCleanup(() => Promise.all(members.map((member) => member.stop())))
  // The first member creates the database cluster, and the others copy it.
  const [first, ...others] = members as [ManagedMember, ...ManagedMember[]]
  await first.start()
  await waitUntil('the first member is the leader', () => first.isLeader(), startTimeoutMs)
  await Promise.all(others.map((member) => member.start()))
  const haproxy = await startDatabaseHaproxy(members, await takePort())
  addCleanup(() => haproxy.stop())

  const readComplete = async () => {
    const views = await Promise.all(members.map(readView))
    const [leaderName, ...otherLeaders] = new Set(views.map(({ leader }) => leader))
    const [standbyName, ...otherStandbys] = new Set(views.map(({ standby }) => standby))
    const leader = members.find(({ name }) => name === leaderName)
    const standby = members.find(({ name }) => name === standbyName)
    if (leader === undefined || standby === undefined || otherLeaders.length + otherStandbys.length > 0)
      return undefined
    const streamingCount = await leader
      .execute('postgres', "select count(*) from pg_stat_replication where state = 'streaming'")
      .catch(() => '')
    return streamingCount === '2' ? { leader, standby } : undefined
  }
  return {
    members,
    passwordFile,
    primaryPort: haproxy.port,
    async waitUntilComplete() {
      let complete: Awaited<ReturnType<typeof readComplete>>
      await waitUntil(
        'a leader and two standbys are running',
        async () => {
          complete = await readComplete()
          return complete !== undefined
        },
        startTimeoutMs,
      )
      return complete as NonNullable<typeof complete>
    },
    async switchOver(from, to) {
      const { apiPort } = from as ManagedMember
      const { PATRONI_RESTAPI_USERNAME: username, PATRONI_RESTAPI_PASSWORD: password } = passwords
      const response = await fetch(`http://127.0.0.1:${apiPort}/switchover`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
        body: JSON.stringify({ leader: from.name, candidate: to.name }),
      })
      if (!response.ok) throw new Error(`Patroni responded ${response.status}: ${await response.text()}`)
    },
  }
}

/** Unlike repeated calls of `stablePort`, never returns a port twice. */
const distinctPorts = (): (() => Promise<number>) => {
  const taken = new Set<number>()
  return async () => {
    for (;;) {
      const port = await stablePort()
      if (taken.has(port)) continue
      taken.add(port)
      return port
    }
  }
}

const startEtcd = async (
  { folder }: PostgresInstallation,
  takePort: () => Promise<number>,
  addCleanup: Cleanup['add'],
): Promise<readonly number[]> => {
  const members = await Promise.all(
    names.map(async (name) => ({ name, peerPort: await takePort(), clientPort: await takePort() })),
  )
  const initialCluster = members.map(({ name, peerPort }) => `${name}=http://127.0.0.1:${peerPort}`).join(',')
  for (const { name, peerPort, clientPort } of members) {
    const config = await deployFile('patroni/etcd.yml', [
      [names.map((each, index) => `${each}=http://${addresses[index]}:2380`).join(','), initialCluster],
      ['name: db1', `name: ${name}`],
      ['/var/lib/etcd/muster', join(folder, `etcd-${name}`)],
      ['10.0.0.11:2380', `127.0.0.1:${peerPort}`],
      ['10.0.0.11:2379', `127.0.0.1:${clientPort}`],
    ])
    const configFile = join(folder, `etcd-${name}.yml`)
    await writeFile(configFile, config)
    const daemon = startDaemon('etcd', ['--config-file', configFile], { logFile: join(folder, `etcd-${name}.log`) })
    addCleanup(() => daemon.stop())
  }
  for (const { name, clientPort } of members)
    await waitUntil(`etcd of ${name} has a leader`, () => responds(`http://127.0.0.1:${clientPort}/health`))
  return members.map(({ clientPort }) => clientPort)
}

interface MemberOptions extends Pick<PatroniOptions, 'synchronous'> {
  readonly name: string
  readonly port: number
  readonly apiPort: number
  readonly exposedPort: number
  readonly etcdPorts: readonly number[]
  readonly hasRelays: boolean
}

interface ManagedMember extends PatroniMember {
  readonly apiPort: number
}

const openMember = async (installation: PostgresInstallation, options: MemberOptions): Promise<ManagedMember> => {
  const { name, port, apiPort, exposedPort, etcdPorts, hasRelays, synchronous } = options
  const { account } = installation
  const folder = join(installation.folder, name)
  const dataFolder = join(folder, 'data')
  await mkdir(folder)
  await chownTo(folder, account)
  const pgbackrestConfig = await writePgbackrestConfig(installation, folder, { dataFolder, port })
  const loopback = (memberPort: number) => `127.0.0.1:${memberPort}`
  const config = await deployFile('patroni/patroni.yml', [
    [
      `[ ${addresses.map((address) => `${address}:2379`).join(', ')} ]`,
      // Without use_proxies Patroni asks etcd for its addresses, and then connects past the relays.
      `[ ${etcdPorts.map(loopback).join(', ')} ]${hasRelays ? '\n  use_proxies: true' : ''}`,
    ],
    ['name: db1', `name: ${name}`],
    ['10.0.0.11:8008', loopback(apiPort)],
    ['connect_address: 10.0.0.11:5432', `connect_address: ${loopback(exposedPort)}`],
    ['listen: 10.0.0.11:5432', `listen: ${loopback(port)}`],
    ['/usr/lib/postgresql/15/bin', installation.programFolder],
    ['/var/lib/postgresql/15/muster', dataFolder],
    ['/var/lib/postgresql/patroni.pgpass', join(folder, 'pgpass')],
    ['/var/run/postgresql', installation.folder],
    ['synchronous_mode: true', `synchronous_mode: ${synchronous}`],
    ['synchronous_mode_strict: true', `synchronous_mode_strict: ${synchronous}`],
    // Without root the servers run as the current account, for which peer authentication as postgres fails.
    ...(account.uid === undefined ? [[' peer', ' trust'] as const] : []),
  ])
  const configFile = join(folder, 'patroni.yml')
  await writeFile(configFile, config)
  let daemon: Daemon | undefined

  const postmasterPid = async (): Promise<number | undefined> => {
    const pid = Number.parseInt(await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => ''), 10)
    // After a kill the file remains, and its process id may belong to another process.
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return commandLine.includes(dataFolder) ? pid : undefined
  }
  const member: ManagedMember = {
    name,
    port,
    apiPort,
    pgbackrestConfig,
    execute: executeAt(installation, port),
    isLeader: () => responds(`http://127.0.0.1:${apiPort}/primary`),
    async signal(signalName) {
      // Patroni first, because it starts PostgreSQL again.
      await member.signalPatroni(signalName)
      const pid = await postmasterPid()
      if (pid !== undefined) await signalWithChildren(pid, signalName)
    },
    async signalPatroni(signalName) {
      if (daemon !== undefined && !daemon.hasEnded) await signalWithChildren(daemon.pid, signalName)
    },
    async start() {
      const logFile = join(folder, 'patroni.log')
      const started = startDaemon('patroni', [configFile], {
        account,
        logFile,
        env: { ...installation.env, ...passwords, PGBACKREST_CONFIG: pgbackrestConfig },
      })
      daemon = started
      const url = `http://127.0.0.1:${apiPort}/liveness`
      await waitUntil(`Patroni of ${name} responds`, async () => started.hasEnded || (await responds(url)))
      if (started.hasEnded) throw new Error(`Patroni exited: ${(await readFile(logFile, 'utf8')).slice(-2_000)}`)
    },
    async stop() {
      // Nobody needs the data any more, so this does not wait for checkpoints and the archive.
      await member.signalPatroni('SIGKILL')
      await member.signal('SIGCONT')
      const pid = await postmasterPid()
      // Immediate shutdown. Unlike SIGKILL, it removes the shared memory.
      if (pid !== undefined) signalProcess(pid, 'SIGQUIT')
      const hasStopped = async () => (await postmasterPid()) === undefined
      await waitUntil(`PostgreSQL of ${name} has stopped`, hasStopped).catch(() => member.signal('SIGKILL'))
    },
  }
  return member
}

interface View {
  readonly leader: string | undefined
  /** The member that may be promoted; with asynchronous replication any of the two. */
  readonly standby: string | undefined
}

const unknownView: View = { leader: undefined, standby: undefined }

/** What a member knows of the cluster, if all members are running. */
const readView = async ({ apiPort }: ManagedMember): Promise<View> => {
  const cluster = await getJson<{ members: { name: string; role: string; state: string }[] }>(
    `http://127.0.0.1:${apiPort}/cluster`,
  )
  const members = cluster?.members ?? []
  // From Patroni 3.0.4 on, a standby that streams has a state of its own.
  const areRunning = members.every(({ state }) => ['running', 'streaming'].includes(state))
  if (members.length !== names.length || !areRunning) return unknownView
  const find = (...roles: readonly string[]) => members.find(({ role }) => roles.includes(role))?.name
  return { leader: find('leader'), standby: find('sync_standby') ?? find('replica') }
}

/** Undefined if there is no complete response in time. */
const getJson = async <T>(url: string): Promise<T | undefined> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    return response.ok ? ((await response.json()) as T) : undefined
  } catch {
    return undefined
  }
}

const responds = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

const startDatabaseHaproxy = async (members: readonly ManagedMember[], port: number) => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-haproxy-'))
  const config = await deployFile('patroni/haproxy.cfg', [
    ['bind 127.0.0.1:5000', `bind 127.0.0.1:${port}`],
    ...members.map(
      ({ port: memberPort, apiPort }, index) =>
        [`${addresses[index]}:5432 check port 8008`, `127.0.0.1:${memberPort} check port ${apiPort}`] as const,
    ),
  ])
  await writeFile(join(folder, 'haproxy.cfg'), config)
  return startProgram('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { folder, port })
}

interface Daemon {
  readonly pid: number
  readonly hasEnded: boolean
  /** Sends SIGTERM, and SIGKILL if the process does not exit in time. */
  stop(): Promise<void>
}

interface DaemonOptions {
  readonly logFile: string
  readonly account?: Account
  readonly env?: NodeJS.ProcessEnv
}

const startDaemon = (
  program: string,
  args: readonly string[],
  { logFile, account = {}, env = {} }: DaemonOptions,
): Daemon => {
  const log = openSync(logFile, 'a')
  // Its own process group, so that Ctrl+C does not stop it before the programs that use it.
  const child = spawn(program, args, {
    ...account,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  const ended = once(child, 'exit')
  const daemon = {
    pid: child.pid as number,
    get hasEnded() {
      return child.exitCode !== null || child.signalCode !== null
    },
    async stop() {
      if (daemon.hasEnded) return
      child.kill('SIGTERM')
      const killTimer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await ended
      clearTimeout(killTimer)
    },
  }
  return daemon
}
