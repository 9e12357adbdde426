/** Dockerfile and compose.yaml pass their linters and refer only to files, settings and accounts that exist. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { settings } from '../../packages/server/src/config/settings.ts'

const root = join(import.meta.dirname, '..', '..')
const deployFolder = join(root, 'deploy')
const dockerfile = readFileSync(join(deployFolder, 'Dockerfile'), 'utf8')
const composeText = readFileSync(join(deployFolder, 'compose.yaml'), 'utf8')

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

const runScript = (script: string, args: readonly string[]): { status: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

/** Writes the text to a temporary file and runs a linter on it. */
const runLinter = (script: string, args: readonly string[], name: string, text: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-lint-'))
  try {
    writeFileSync(join(folder, name), text)
    return runScript(script, [...args, join(folder, name)])
  } finally {
    rmSync(folder, { recursive: true })
  }
}
const lintDockerfile = (text: string) =>
  runLinter('dockerfilelint/bin/dockerfilelint', ['--config', deployFolder], 'Dockerfile', text)
const lintCompose = (text: string) => runLinter('dclint/bin/dclint.cjs', ['--max-warnings', '0'], 'compose.yaml', text)

describe('the Dockerfile', () => {
  it('passes dockerfilelint, which rejects a broken Dockerfile', () => {
    const { status, output } = lintDockerfile(dockerfile)
    assert.equal(status, 0, output)
    assert.notEqual(lintDockerfile(`${dockerfile}\nRUN apt-get install curl\n`).status, 0)
  })

  it('uses the Node.js version of the project and runs as an account that owns no files', () => {
    const nodeVersion = readFileSync(join(root, '.node-version'), 'utf8').trim()
    const [, baseImage = ''] = /^ARG NODE_IMAGE=(.+)$/m.exec(dockerfile) ?? []
    assert.equal(baseImage.replace(/@sha256:[0-9a-f]{64}$/, ''), `node:${nodeVersion}-trixie-slim`)
    assert.deepEqual(
      [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm)].map(([, stage]) => stage),
      ['$NODE_IMAGE', 'manifests', 'manifests', '$NODE_IMAGE'],
    )
    assert.deepEqual(
      [...dockerfile.matchAll(/^USER (\S+)/gm)].map((match) => match[1]),
      ['1000:1000'],
    )
    assert.doesNotMatch(dockerfile.split('USER')[1] ?? '', /^(COPY|RUN|ADD) /m)
  })
})

describe('compose.yaml', () => {
  it('passes dclint, which rejects a broken compose.yaml', () => {
    const { status, output } = lintCompose(composeText)
    assert.equal(status, 0, output)
    assert.notEqual(lintCompose(composeText.replace(/image: nginx:.*/, 'image: nginx')).status, 0)
  })

  it('gives every container a read-only file system and no capabilities by default', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      assert.equal(service.read_only, true, name)
      assert.deepEqual(service.cap_drop, ['ALL'], name)
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name)
    }
  })

  it('publishes only the port of the proxy, and only on 127.0.0.1', () => {
    const publishedServices = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined)
    assert.deepEqual(
      publishedServices.map(([name]) => name),
      ['proxy'],
    )
    assert.match(compose.services.proxy?.ports?.join() ?? '', /^127\.0\.0\.1:\$\{PORT:-8080\}:80$/)
  })

  it('takes all secrets from files that deploy/make-secrets.ts creates', () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-secrets-'))
    const makeSecrets = () =>
      spawnSync(process.execPath, [join(deployFolder, 'make-secrets.ts'), '--folder', folder], { encoding: 'utf8' })
    const readSecrets = (): string[] =>
      Object.values(compose.secrets).map(({ file }) =>
        readFileSync(join(folder, file.replace('./secrets/', '')), 'utf8'),
      )
    const { status, stderr } = makeSecrets()
    assert.equal(status, 0, stderr)
    const secrets = readSecrets()
    for (const secret of secrets) assert.ok(secret.length > 32)
    const secondResult = makeSecrets()
    assert.equal(secondResult.status, 1)
    assert.match(secondResult.stderr, /is not empty, and nothing was changed\. .*\n$/)
    assert.deepEqual(readSecrets(), secrets)
    rmSync(folder, { recursive: true })
    const settingNames = new Set<string>(settings.map(({ name }) => name))
    for (const { environment = {}, image } of Object.values(compose.services)) {
      for (const [name, value] of Object.entries(environment)) {
        assert.doesNotMatch(value, /:[^/@]+@/, name)
        if (image.startsWith('muster:')) assert.ok(settingNames.has(name), name)
        if (name.endsWith('_FILE'))
          assert.ok(compose.secrets[value.replace('/run/secrets/', '')] !== undefined, `${name} names ${value}`)
      }
    }
  })

  it('starts Redis only if a rate limit is set', () => {
    const { environment = {} } = compose.services.muster as ComposeService
    const rateLimitVariables = Object.keys(environment).filter((name) => name.startsWith('MUSTER_RATE_LIMIT_'))
    const redisServices = Object.values(compose.services).filter(({ image }) => image.startsWith('redis'))
    assert.equal('REDIS_URL' in environment, rateLimitVariables.length > 0)
    assert.equal(redisServices.length > 0, rateLimitVariables.length > 0)
  })

  it('uses deploy/reverse-proxies/nginx.conf, except for how nginx finds the service', () => {
    const directives = (file: string): string[] =>
      readFileSync(join(deployFolder, file), 'utf8')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '' && !line.startsWith('#'))
    const ofCompose = directives('nginx.conf')
    const ofHost = directives('reverse-proxies/nginx.conf')
    assert.deepEqual(
      ofHost.filter((line) => !ofCompose.includes(line)),
      [
        'upstream muster {',
        'server 127.0.0.1:8080;',
        'keepalive 64;',
        'proxy_pass http://muster;',
        'proxy_next_upstream error;',
      ],
    )
    assert.deepEqual(
      ofCompose.filter((line) => !ofHost.includes(line)),
      [
        'include /run/resolver.conf;',
        'set $muster muster;',
        'proxy_pass http://$muster:8080;',
        'proxy_connect_timeout 1s;',
        'proxy_next_upstream error timeout;',
      ],
    )
  })
})
