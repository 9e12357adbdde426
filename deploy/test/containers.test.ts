/** Dockerfile and compose.yaml keep the rules of their linters, and name files, settings and accounts that are there. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { settings } from '../../service/src/config.ts'

const root = join(import.meta.dirname, '..', '..')
const deploy = join(root, 'deploy')
const dockerfile = readFileSync(join(deploy, 'Dockerfile'), 'utf8')
const composeText = readFileSync(join(deploy, 'compose.yaml'), 'utf8')

interface ComposeService {
  readonly image: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly (string | { readonly source: string })[]
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
}
const compose = parse(composeText, { merge: true }) as {
  services: Record<string, ComposeService>
  secrets: Record<string, { file: string }>
}

const run = (script: string, args: readonly string[]): { status: number | null; said: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

/** What a linter says of a text that is written down for it. */
const lint = (script: string, args: readonly string[], name: string, text: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-lint-'))
  try {
    writeFileSync(join(folder, name), text)
    return run(script, [...args, join(folder, name)])
  } finally {
    rmSync(folder, { recursive: true })
  }
}
const lintDockerfile = (text: string) => lint('dockerfilelint/bin/dockerfilelint', [], 'Dockerfile', text)
const lintCompose = (text: string) => lint('dclint/bin/dclint.cjs', ['--max-warnings', '0'], 'compose.yaml', text)

describe('the Dockerfile', () => {
  it('keeps the rules of dockerfilelint, which can say no', () => {
    const { status, said } = lintDockerfile(dockerfile)
    assert.equal(status, 0, said)
    assert.notEqual(lintDockerfile(`${dockerfile}\nRUN apt-get install curl\n`).status, 0)
  })

  it('names the Node of the project and ends as an account that owns nothing', () => {
    const node = readFileSync(join(root, '.node-version'), 'utf8').trim()
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map((match) => match[1])
    assert.deepEqual(images, [`node:${node}-trixie-slim`, `node:${node}-trixie-slim`])
    assert.deepEqual(
      [...dockerfile.matchAll(/^USER (\S+)/gm)].map((match) => match[1]),
      ['1000:1000'],
    )
    assert.doesNotMatch(dockerfile.split('USER')[1] ?? '', /^(COPY|RUN|ADD) /m)
  })
})

describe('compose.yaml', () => {
  it('keeps the rules of dclint, which can say no', () => {
    const { status, said } = lintCompose(composeText)
    assert.equal(status, 0, said)
    assert.notEqual(lintCompose(composeText.replace('image: nginx:1.30.3-alpine', 'image: nginx')).status, 0)
  })

  it('gives every container a file system it cannot write, and no capability that is not named', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      assert.equal(service.read_only, true, name)
      assert.deepEqual(service.cap_drop, ['ALL'], name)
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name)
    }
  })

  it('is reached through the front alone, and from this machine alone', () => {
    const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined)
    assert.deepEqual(
      open.map(([name, { ports }]) => [name, ports]),
      [['front', ['127.0.0.1:8080:80']]],
    )
  })

  it('takes secrets from files alone, each of which make-secrets makes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-secrets-'))
    const made = spawnSync(process.execPath, [join(deploy, 'make-secrets.ts'), '--folder', folder], {
      encoding: 'utf8',
    })
    assert.equal(made.status, 0, made.stderr)
    for (const { file } of Object.values(compose.secrets))
      assert.ok(readFileSync(join(folder, file.replace('secrets/', '')), 'utf8').length > 32, file)
    rmSync(folder, { recursive: true })
    const known = new Set<string>(settings.map(({ name }) => name))
    for (const { environment = {}, image } of Object.values(compose.services)) {
      for (const [name, value] of Object.entries(environment)) {
        assert.doesNotMatch(value, /:[^/@]+@/, name)
        if (image.startsWith('muster:')) assert.ok(known.has(name), name)
        if (name.endsWith('_FILE'))
          assert.ok(compose.secrets[value.replace('/run/secrets/', '')] !== undefined, `${name} names ${value}`)
      }
    }
  })

  it('starts Redis only if a rate limit is set', () => {
    const { environment = {} } = compose.services.muster as ComposeService
    const limits = Object.keys(environment).filter((name) => name.startsWith('MUSTER_RATE_LIMIT_'))
    const redis = Object.values(compose.services).filter(({ image }) => image.startsWith('redis'))
    assert.equal('REDIS_URL' in environment, limits.length > 0)
    assert.equal(redis.length > 0, limits.length > 0)
  })

  it('has the front of fronts/, with the service by its name', () => {
    const withoutHead = (text: string) => text.split('\n').slice(1).join('\n')
    const published = readFileSync(join(root, 'fronts', 'nginx.conf'), 'utf8')
    assert.equal(
      withoutHead(readFileSync(join(deploy, 'nginx.conf'), 'utf8')),
      withoutHead(published.replace('server 127.0.0.1:8080;', 'server muster:8080;')),
    )
  })
})
