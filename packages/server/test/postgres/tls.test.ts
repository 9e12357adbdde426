import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, chown, copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { EmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { startEmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import pg from 'pg'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { startInProcess } from '../../../../tests/support/in-process-server.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { waitForStatus } from '../../../../tests/support/served.ts'
import { token } from '../../../../tests/support/service.ts'
import { reachabilityCheck } from '../../src/commands/doctor/server.ts'

/** Functions that create a certificate authority, and server certificates that it signs. */
const certificateTools = (folder: string) => {
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder })
  const newKeyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  return {
    authority: (name: string) =>
      openssl(
        'req',
        '-x509',
        ...newKeyOptions,
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.crt`,
        '-days',
        '2',
        '-subj',
        `/CN=${name}`,
      ),
    async server(name: string, { authority, names, days }: { authority: string; names: string; days: string }) {
      await writeFile(join(folder, `${name}.ext`), `subjectAltName=${names}`)
      await openssl('req', ...newKeyOptions, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', '/CN=postgres')
      const signOptions = [
        '-CA',
        `${authority}.crt`,
        '-CAkey',
        `${authority}.key`,
        '-days',
        days,
        '-extfile',
        `${name}.ext`,
      ]
      await openssl('x509', '-req', '-in', `${name}.csr`, ...signOptions, '-out', `${name}.crt`)
    },
  }
}

describe('a database URL with sslmode=verify-full', () => {
  let folder: string
  let server: EmbeddedPostgres
  let administrator: pg.Client
  let envWithoutTls: Record<string, string>

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-tls-'))
    await chmod(folder, 0o755)
    const { authority, server: certificate } = certificateTools(folder)
    await authority('trusted')
    await authority('untrusted')
    const names = 'DNS:localhost,IP:127.0.0.1'
    await certificate('right', { authority: 'trusted', names, days: '2' })
    await certificate('another-authority', { authority: 'untrusted', names, days: '2' })
    await certificate('another-name', { authority: 'trusted', names: 'DNS:localhost,DNS:elsewhere.example', days: '2' })
    await certificate('expired', { authority: 'trusted', names, days: '-1' })
    await authority('self-signed')
    server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') })
    administrator = new pg.Client({ connectionString: server.url })
    await administrator.connect()
    const urlOf = (username: string) => Object.assign(new URL(server.url), { username, password: username }).href
    envWithoutTls = {
      DATABASE_MIGRATE_URL: urlOf('muster_owner'),
      DATABASE_URL: urlOf('muster_writer'),
      DATABASE_READ_URL: urlOf('muster_reader'),
    }
    await administrator.query((await muster(['roles'], envWithoutTls)).out)
    assert.equal((await muster(['migrate'], envWithoutTls)).code, 0)
  })
  after(async () => {
    await administrator.end()
    await server.stop()
    await rm(folder, { recursive: true })
  })

  /** Gives the PostgreSQL server another certificate, and waits until new sessions use it. */
  const useCertificate = async (name: string): Promise<void> => {
    const dataFolder = join(folder, 'postgres', 'cluster')
    const { uid, gid } = await stat(dataFolder)
    for (const extension of ['crt', 'key']) {
      const file = join(dataFolder, `${name}.${extension}`)
      await copyFile(join(folder, `${name}.${extension}`), file)
      await chmod(file, 0o600)
      await chown(file, uid, gid)
      await administrator.query(
        `alter system set ${extension === 'crt' ? 'ssl_cert_file' : 'ssl_key_file'} = '${name}.${extension}'`,
      )
    }
    await setTls('on')
    await untilSetting('ssl_cert_file', `${name}.crt`)
  }
  const setTls = async (value: 'on' | 'off'): Promise<void> => {
    await administrator.query(`alter system set ssl = ${value}`)
    await administrator.query('select pg_reload_conf()')
    await untilSetting('ssl', value)
  }
  const untilSetting = async (name: string, value: string): Promise<void> => {
    const deadline = Date.now() + 10_000
    for (let currentValue = ''; currentValue !== value; ) {
      assert.ok(Date.now() < deadline, `${name} never became ${value}`)
      const session = new pg.Client({ connectionString: server.url })
      await session.connect()
      currentValue = (await session.query(`show ${name}`)).rows[0][name]
      await session.end()
    }
  }
  const verifyFullEnv = (host: string, authority = 'trusted'): Record<string, string> => {
    const withVerifyFull = (url = '') => {
      const changedUrl = new URL(url)
      changedUrl.hostname = host
      changedUrl.search = `sslmode=verify-full&sslrootcert=${join(folder, `${authority}.crt`)}`
      return changedUrl.href
    }
    return Object.fromEntries(Object.entries(envWithoutTls).map(([name, url]) => [name, withVerifyFull(url)]))
  }

  for (const host of ['localhost', '127.0.0.1']) {
    it(`connects over TLS to a server with a valid certificate at ${host}`, async () => {
      await useCertificate('right')
      const service = await startInProcess({ ...verifyFullEnv(host), MUSTER_API_TOKEN: token })
      const { origin } = service
      await waitForStatus(`${origin}/readyz`, 200)
      assert.equal((await sendRequest(`${origin}/api/v1/employees`)).status, 200)
      assert.equal(
        (await post(`${origin}/api/v1/organizations`, { name: 'Sealed', slug: `sealed-at-${host}` })).status,
        201,
      )
      const { rows } = await administrator.query(
        `select usename, bool_and(ssl) as sealed from pg_stat_ssl join pg_stat_activity using (pid)
         where usename in ('muster_reader', 'muster_writer') group by 1 order by 1`,
      )
      assert.deepEqual(rows, [
        { usename: 'muster_reader', sealed: true },
        { usename: 'muster_writer', sealed: true },
      ])
      await service.stop()
    })
  }

  const wrongServers: [problem: string, certificate: string, host: string, sentence: RegExp][] = [
    [
      'a certificate from another authority',
      'another-authority',
      '127.0.0.1',
      /certificate from an untrusted authority/,
    ],
    ['a self-signed certificate', 'self-signed', '127.0.0.1', /certificate from an untrusted authority/],
    ['a certificate for another name', 'another-name', '127.0.0.1', /presents a certificate for another host/],
    ['an expired certificate', 'expired', '127.0.0.1', /certificate that is not valid now/],
  ]
  for (const [problem, certificate, host, sentence] of wrongServers) {
    it(`rejects a server with ${problem}, and connects once the server has a valid certificate`, async () => {
      await useCertificate(certificate)
      const service = await startInProcess({ ...verifyFullEnv(host), MUSTER_API_TOKEN: token })
      const { origin } = service
      await service.waitForOutput(sentence)
      const slug = `from-${certificate}`
      assert.deepEqual(
        [
          (await sendRequest(`${origin}/readyz`)).status,
          (await sendRequest(`${origin}/api/v1/employees`)).status,
          (await post(`${origin}/api/v1/organizations`, { name: 'Never', slug })).status,
        ],
        [503, 503, 503],
      )
      const { code, err } = await muster(['migrate'], verifyFullEnv(host))
      assert.equal(code, 1)
      assert.match(err, sentence)
      await useCertificate('right')
      await waitForStatus(`${origin}/readyz`, 200)
      assert.equal((await administrator.query('select from organizations where slug = $1', [slug])).rowCount, 0)
      await service.stop()
    })
  }

  it('rejects a server without TLS', async () => {
    await setTls('off')
    const { code, err } = await muster(['migrate'], verifyFullEnv('127.0.0.1'))
    await setTls('on')
    assert.deepEqual([code, /does not support TLS/.test(err)], [1, true])
  })

  it('rejects a server whose certificate has become untrusted when the service reconnects', async () => {
    await useCertificate('right')
    const service = await startInProcess(verifyFullEnv('127.0.0.1'))
    const { origin } = service
    await waitForStatus(`${origin}/readyz`, 200)
    await useCertificate('another-authority')
    await administrator.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename ~ '^muster_'`)
    await waitForStatus(`${origin}/readyz`, 503)
    await service.waitForOutput(/certificate from an untrusted authority/)
    assert.equal((await sendRequest(`${origin}/api/v1/employees`)).status, 503)
    await useCertificate('right')
    await waitForStatus(`${origin}/readyz`, 200)
    await service.stop()
  })

  it('causes an error that names the certificate file if the file cannot be read', async () => {
    const { code, err } = await muster(['migrate'], verifyFullEnv('127.0.0.1', 'nowhere'))
    assert.equal(code, 1)
    assert.match(
      err,
      /^Database ".+" at .+\nA certificate named in the database URL cannot be read \(ENOENT: .+nowhere\.crt'\)\.\n$/,
    )
  })
})

describe('a database URL without full verification', () => {
  const url = 'postgres://postgres@127.0.0.1:1/none'
  const parameters: [search: string, sentence: RegExp][] = [
    ...['allow', 'prefer', 'require', 'verify-ca', 'no-verify', ''].map((mode): [string, RegExp] => [
      `sslmode=${mode}`,
      new RegExp(`^DATABASE_URL must use sslmode=verify-full, .+, not sslmode=${mode}\\.\\n$`),
    ]),
    ['ssl=true', /, not ssl\.\n$/],
    ['sslmode=verify-full&ssl=no-verify', /, not ssl\.\n$/],
    ['uselibpqcompat=true&sslmode=verify-full', /, not uselibpqcompat\.\n$/],
    ['sslmode=verify-full&sslmode=disable', /, not sslmode=verify-full and disable\.\n$/],
  ]
  for (const [search, sentence] of parameters) {
    it(`is rejected before anything is sent: ${search}`, async () => {
      const { code, err } = await muster(['migrate'], { DATABASE_URL: `${url}?${search}` })
      assert.equal(code, 1)
      assert.match(err, sentence)
    })
  }

  it('is also rejected if NODE_TLS_REJECT_UNAUTHORIZED=0 is what disables the verification', async () => {
    const env = { DATABASE_URL: `${url}?sslmode=verify-full`, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    const { code, err } = await muster(['migrate'], env)
    assert.equal(code, 1)
    assert.equal(err, 'NODE_TLS_REJECT_UNAUTHORIZED=0 disables the sslmode=verify-full of DATABASE_URL: unset it.\n')
  })

  it('is advised against by muster doctor if the database is on another machine', async () => {
    const doctorVerdict = async (databaseUrl: string) =>
      (await reachabilityCheck.run({ env: {}, client: new pg.Client(), databaseUrl, error: undefined })).verdict
    assert.equal(await doctorVerdict('postgres://db.example.com/muster'), 'advice')
    assert.equal(await doctorVerdict('postgres://db.example.com/muster?sslmode=verify-full'), 'ok')
    assert.equal(await doctorVerdict('postgres://127.0.0.1/muster'), 'ok')
  })
})
