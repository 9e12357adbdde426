/** The files in deploy/patroni are valid and consistent with each other. `npm test -- failover` runs them. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parse } from 'yaml'

const folder = join(import.meta.dirname, '..', '..', 'deploy', 'patroni')
const readText = (name: string): string => readFileSync(join(folder, name), 'utf8')
const haproxyText = readText('haproxy.cfg')
const patroni = parse(readText('patroni.yml'))
const etcd = parse(readText('etcd.yml'))

describe('haproxy.cfg', () => {
  const isValid = (text: string): boolean => {
    const temporaryFolder = mkdtempSync(join(tmpdir(), 'muster-haproxy-'))
    try {
      const file = join(temporaryFolder, 'haproxy.cfg')
      writeFileSync(file, text)
      const { status, error } = spawnSync('haproxy', ['-c', '-f', file])
      if (error !== undefined) throw error
      return status === 0
    } finally {
      rmSync(temporaryFolder, { recursive: true })
    }
  }

  it('is accepted by haproxy, which rejects a broken file', () => {
    assert.ok(isValid(haproxyText))
    assert.ok(!isValid(haproxyText.replace('http-check expect status 200', 'http-check expects status 200')))
  })

  it('does not end the statements of a migration or an import, which can take hours', () => {
    const timeouts = [...haproxyText.matchAll(/^ {2}timeout (?:client|server) (\d+)h$/gm)]
    assert.deepEqual(
      timeouts.map(([, hours]) => Number(hours) >= 12),
      [true, true],
    )
  })
})

describe('all files', () => {
  it('name the same three machines', () => {
    const addresses = ['10.0.0.11', '10.0.0.12', '10.0.0.13']
    assert.deepEqual(
      [...haproxyText.matchAll(/^ {2}server \w+ ([\d.]+):5432 /gm)].map(([, address]) => address),
      addresses,
    )
    assert.deepEqual(
      patroni.etcd.hosts,
      addresses.map((address) => `${address}:2379`),
    )
    assert.equal(
      etcd['initial-cluster'],
      addresses.map((address, index) => `db${index + 1}=http://${address}:2380`).join(),
    )
  })

  it('name the same data folder and socket folder', () => {
    const backup = readText('pgbackrest.conf')
    assert.equal(/^pg1-path=(.*)$/m.exec(backup)?.[1], patroni.postgresql.data_dir)
    assert.equal(/^pg1-socket-path=(.*)$/m.exec(backup)?.[1], patroni.postgresql.parameters.unix_socket_directories)
  })
})

describe('patroni.yml', () => {
  it('acknowledges no write that only the leader has', () => {
    const { synchronous_mode, synchronous_mode_strict } = patroni.bootstrap.dcs
    assert.deepEqual([synchronous_mode, synchronous_mode_strict], [true, true])
  })

  it('gives a leader that cannot reach etcd the time to stop before its lock expires', () => {
    const { ttl, loop_wait, retry_timeout } = patroni.bootstrap.dcs
    assert.ok(ttl >= loop_wait + 2 * retry_timeout)
  })

  it('lets no superuser connect over the network, and nobody without a password', () => {
    const rules: string[][] = patroni.postgresql.pg_hba.map((rule: string) => rule.split(' '))
    const overNetwork = rules.filter(([type]) => type !== 'local')
    assert.ok(overNetwork.every((rule) => ['scram-sha-256', 'reject'].includes(rule.at(-1) ?? '')))
    // The first rule that matches counts.
    const forSuperuser = overNetwork.find(
      ([, database, user]) => database === 'all' && /^(postgres|all)$/.test(user ?? ''),
    )
    assert.deepEqual(forSuperuser, ['host', 'all', 'postgres', 'all', 'reject'])
  })
})
