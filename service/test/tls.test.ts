/** The connection to the database is verified in full: whoever is not exactly the named server is told nothing. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, chown, copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import type { EmbeddedPostgres } from '../../scripts/embedded-postgres.ts'
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.ts'
import { reachability } from '../src/commands/doctor/server.ts'
import { ask, post } from './support/http.ts'
import { muster } from './support/muster.ts'
import { end, listening, serve, until } from './support/served.ts'
import { token } from './support/service.ts'

/** Makes an authority or, signed by one, the certificate of a server. */
const certificates = (folder: string) => {
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  return {
    authority: (name: string) =>
      openssl(
        'req',
        '-x509',
        ...key,
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
      await openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', '/CN=postgres')
      const signed = ['-CA', `${authority}.crt`, '-CAkey', `${authority}.key`, '-days', days, '-extfile', `${name}.ext`]
      await openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.crt`)
    },
  }
}

describe('a database address with sslmode=verify-full', () => {
  let folder: string
  let server: EmbeddedPostgres
  let administrator: pg.Client
  let plain: Record<string, string>

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-tls-'))
    await chmod(folder, 0o755)
    const { authority, server: certificate } = certificates(folder)
    await authority('ours')
    await authority('theirs')
    const names = 'DNS:localhost,IP:127.0.0.1'
    await certificate('right', { authority: 'ours', names, days: '2' })
    await certificate('another-authority', { authority: 'theirs', names, days: '2' })
    await certificate('another-name', { authority: 'ours', names: 'DNS:localhost,DNS:elsewhere.example', days: '2' })
    await certificate('expired', { authority: 'ours', names, days: '-1' })
    await authority('self-signed')
    server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') })
    administrator = new pg.Client({ connectionString: server.url })
    await administrator.connect()
    const urlOf = (username: string) => Object.assign(new URL(server.url), { username, password: username }).href
    plain = {
      DATABASE_MIGRATE_URL: urlOf('muster_owner'),
      DATABASE_URL: urlOf('muster_writer'),
      DATABASE_READ_URL: urlOf('muster_reader'),
    }
    await administrator.query((await muster(['roles'], plain)).out)
    assert.equal((await muster(['migrate'], plain)).code, 0)
  })
  after(async () => {
    await administrator.end()
    await server.stop()
    await rm(folder, { recursive: true })
  })

  /** Gives the server another certificate, and waits until new sessions have it. */
  const show = async (name: string): Promise<void> => {
    const data = join(folder, 'postgres', 'cluster')
    const { uid, gid } = await stat(data)
    for (const kind of ['crt', 'key']) {
      const file = join(data, `${name}.${kind}`)
      await copyFile(join(folder, `${name}.${kind}`), file)
      await chmod(file, 0o600)
      await chown(file, uid, gid)
      await administrator.query(
        `alter system set ${kind === 'crt' ? 'ssl_cert_file' : 'ssl_key_file'} = '${name}.${kind}'`,
      )
    }
    await setTls('on')
    await untilShown('ssl_cert_file', `${name}.crt`)
  }
  const setTls = async (value: 'on' | 'off'): Promise<void> => {
    await administrator.query(`alter system set ssl = ${value}`)
    await administrator.query('select pg_reload_conf()')
    await untilShown('ssl', value)
  }
  const untilShown = async (name: string, value: string): Promise<void> => {
    const deadline = Date.now() + 10_000
    for (let shown = ''; shown !== value; ) {
      assert.ok(Date.now() < deadline, `${name} never became ${value}`)
      const session = new pg.Client({ connectionString: server.url })
      await session.connect()
      shown = (await session.query(`show ${name}`)).rows[0][name]
      await session.end()
    }
  }
  const verified = (host: string, root = 'ours'): Record<string, string> => {
    const of = (url = '') => {
      const changed = new URL(url)
      changed.hostname = host
      changed.search = `sslmode=verify-full&sslrootcert=${join(folder, `${root}.crt`)}`
      return changed.href
    }
    return Object.fromEntries(Object.entries(plain).map(([name, url]) => [name, of(url)]))
  }

  for (const host of ['localhost', '127.0.0.1']) {
    it(`is served over TLS by the right server at ${host}`, async () => {
      await show('right')
      const service = serve({ ...verified(host), MUSTER_API_TOKEN: token })
      const address = await listening(service)
      await until(`${address}/readyz`, 200)
      assert.equal((await ask(`${address}/api/v1/employees`)).status, 200)
      assert.equal(
        (await post(`${address}/api/v1/organizations`, { name: 'Sealed', slug: `sealed-at-${host}` })).status,
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
      await end(service)
    })
  }

  const impostors: [rule: string, certificate: string, host: string, sentence: RegExp][] = [
    ['another authority', 'another-authority', '127.0.0.1', /certificate of an authority that is not trusted here/],
    [
      'a certificate it signed itself',
      'self-signed',
      '127.0.0.1',
      /certificate of an authority that is not trusted here/,
    ],
    ['a certificate for another name', 'another-name', '127.0.0.1', /shows the certificate of another host/],
    ['a certificate that has expired', 'expired', '127.0.0.1', /certificate that is not valid now/],
  ]
  for (const [rule, certificate, host, sentence] of impostors) {
    it(`refuses a server with ${rule}, and is served once that is mended`, async () => {
      await show(certificate)
      const service = serve({ ...verified(host), MUSTER_API_TOKEN: token })
      const address = await listening(service)
      await service.says(sentence)
      const slug = `from-${certificate}`
      assert.deepEqual(
        [
          (await ask(`${address}/readyz`)).status,
          (await ask(`${address}/api/v1/employees`)).status,
          (await post(`${address}/api/v1/organizations`, { name: 'Never', slug })).status,
        ],
        [503, 503, 503],
      )
      const { code, err } = await muster(['migrate'], verified(host))
      assert.equal(code, 1)
      assert.match(err, sentence)
      await show('right')
      await until(`${address}/readyz`, 200)
      assert.equal((await administrator.query('select from organizations where slug = $1', [slug])).rowCount, 0)
      await end(service)
    })
  }

  it('refuses a server that does not speak TLS, and sends it nothing', async () => {
    await setTls('off')
    const { code, err } = await muster(['migrate'], verified('127.0.0.1'))
    await setTls('on')
    assert.deepEqual([code, /does not speak TLS/.test(err)], [1, true])
  })

  it('refuses another server when it has to connect anew', async () => {
    await show('right')
    const service = serve(verified('127.0.0.1'))
    const address = await listening(service)
    await until(`${address}/readyz`, 200)
    await show('another-authority')
    await administrator.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename ~ '^muster_'`)
    await until(`${address}/readyz`, 503)
    await service.says(/certificate of an authority that is not trusted here/)
    assert.equal((await ask(`${address}/api/v1/employees`)).status, 503)
    await show('right')
    await until(`${address}/readyz`, 200)
    await end(service)
  })

  it('names the file where its authority cannot be read', async () => {
    const { code, err } = await muster(['migrate'], verified('127.0.0.1', 'nowhere'))
    assert.equal(code, 1)
    assert.match(
      err,
      /^Database ".+" at .+\nA certificate of the database address cannot be read \(ENOENT: .+nowhere\.crt'\)\.\n$/,
    )
  })
})

describe('a database address that stops short of verifying', () => {
  const url = 'postgres://postgres@127.0.0.1:1/none'
  const parameters: [search: string, sentence: RegExp][] = [
    ...['allow', 'prefer', 'require', 'verify-ca', 'no-verify', ''].map((mode): [string, RegExp] => [
      `sslmode=${mode}`,
      new RegExp(`^DATABASE_URL should say sslmode=verify-full, .+, and not sslmode=${mode}\\.\\n$`),
    ]),
    ['ssl=true', /and not ssl\.\n$/],
    ['sslmode=verify-full&ssl=no-verify', /and not ssl\.\n$/],
    ['uselibpqcompat=true&sslmode=verify-full', /and not uselibpqcompat\.\n$/],
    ['sslmode=verify-full&sslmode=disable', /and not sslmode=verify-full and disable\.\n$/],
  ]
  for (const [search, sentence] of parameters) {
    it(`is refused before anything is sent: ${search}`, async () => {
      const { code, err } = await muster(['migrate'], { DATABASE_URL: `${url}?${search}` })
      assert.equal(code, 1)
      assert.match(err, sentence)
    })
  }

  it('is one whose verification the environment undoes', async () => {
    const env = { DATABASE_URL: `${url}?sslmode=verify-full`, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    const { code, err } = await muster(['migrate'], env)
    assert.equal(code, 1)
    assert.equal(err, 'NODE_TLS_REJECT_UNAUTHORIZED=0 undoes the sslmode=verify-full of DATABASE_URL: unset it.\n')
  })

  it('is advised against by the doctor where the database is on another machine', async () => {
    const verdict = async (databaseUrl: string) =>
      (await reachability.look({ env: {}, client: new pg.Client(), databaseUrl, fault: undefined })).verdict
    assert.equal(await verdict('postgres://db.example.com/muster'), 'advice')
    assert.equal(await verdict('postgres://db.example.com/muster?sslmode=verify-full'), 'ok')
    assert.equal(await verdict('postgres://127.0.0.1/muster'), 'ok')
  })
})
