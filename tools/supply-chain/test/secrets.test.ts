import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inspect } from '../inspection.ts'
import { findSecrets } from '../secrets.ts'

/**
 * Text that looks like a secret. It is assembled at run time, so that the search for secrets does not report this file.
 */
const randomText = ['q7Zp', '2Lx9', 'Wd4K', 'n8Vt', '3Rb6', 'Yh1S', 'm5Jc', '0FgE', 'u2Xa', 'T9oP'].join('')
/** 300 characters. */
const longText = randomText.repeat(8).slice(0, 300)
const letters = longText.replaceAll(/[0-9]/g, '')
const hexText = '9f86d081884c7d659a2feaa0c55ad015'
const secrets: readonly (readonly [kind: string, text: string])[] = [
  ['privatekey', `-----BEGIN ${'RSA '}PRIVATE KEY-----\nMIIEow${longText}\n-----END RSA ${''}PRIVATE KEY-----\n`],
  ['private key', `-----BEGIN ${''}PRIVATE KEY-----\n${longText.slice(0, 64)}\n-----END ${''}PRIVATE KEY-----\n`],
  ['private key', `key = "-----BEGIN ${''}PRIVATE KEY-----\\n${randomText}"`],
  ['aws', `${'AKIA'}${'Q7ZP2LX9WD4KN8VT'}`],
  ['aws', `aws_secret_${'access_key'} = ${randomText}`],
  ['github', `${'ghp_'}${randomText.slice(0, 36)}`],
  ['github', `${'github_pat_'}${longText.slice(0, 22)}_${longText.slice(0, 59)}`],
  ['gitlab', `${'glpat-'}${randomText.slice(0, 20)}`],
  ['npm', `//host.invalid/:_authToken=${'npm_'}${randomText.slice(0, 36)}`],
  ['slack', `${'xoxb-'}123456789012-123456789012-${randomText.slice(0, 24)}`],
  ['slack', `https://hooks.slack.com/${'services'}/T0AB/B0CD/${randomText.slice(0, 24)}`],
  ['stripe', `${'sk_live_'}${randomText.slice(0, 24)}`],
  ['Google key', `${'AIza'}${randomText.slice(0, 35)}`],
  ['sendgrid', `${'SG.'}${randomText.slice(0, 22)}.${longText.slice(0, 43)}`],
  ['openai', `${'sk-proj-'}${longText.slice(0, 74)}${'T3Blbk'}FJ${longText.slice(0, 74)}`],
  ['anthropic', `${'sk-ant-'}api03-${longText.slice(0, 93)}AA`],
  ['shopify', `${'shpat_'}${hexText}`],
  ['linear', `${'lin_api_'}${randomText}`],
  ['DigitalOcean token', `${'dop_v1_'}${hexText.repeat(2)}`],
  ['huggingface', `${'hf_'}${letters.slice(0, 34)}`],
  ['hashicorp-vault', `${'hvs.'}${longText.slice(0, 95)}`],
  ['long GitHub token', `${'ghs_'}${longText.slice(0, 60)}`],
  ['Slack session token', `${'xoxe.xoxp-'}1-${longText.slice(0, 80)}`],
  ['Slack session token', `${'xoxe-'}1-${longText.slice(0, 80)}`],
  ['SendGrid key', `${'SG.'}${randomText.slice(0, 10)}-${randomText.slice(0, 11)}.${longText.slice(0, 43)}`],
  ['Anthropic key', `${'sk-ant-'}admin01-${longText.slice(0, 93)}`],
  ['Vault token', `${'hvs.'}${randomText.slice(0, 24)}`],
  ['grafana', `${'glsa_'}${longText.slice(0, 32)}_9f86d081`],
  ['notion', `${'ntn_'}12345678901${longText.slice(0, 35)}`],
  ['databricks', `${'dapi'}${hexText}`],
  ['docker', `${'dckr_pat_'}${longText.slice(0, 27)}`],
  ['cloudflare', `${'cfat_'}${randomText}12345678`],
  ['signed token', `${'eyJ'}${randomText}.${'eyJ'}${randomText}.${randomText}`],
  ['password in a URL', `postgres://muster:${'Tr0ub4dor'}@db.internal/muster`],
  ['password in a URL', `redis://:${'hunter2'}@cache.internal:6379`],
  ['bearer token', `curl -H 'Authorization: Bearer ${randomText}'`],
  ['assigned secret', `MUSTER_API_TOKEN=${randomText}`],
  ['assigned secret', `{ "clientSecret": "${randomText.toLowerCase()}" }`],
  ['assigned secret', `password: '${'9f86d081884c7d659a2feaa0'}${'c55ad015a3bf4f1b'}'`],
  ['github', `// secretlint-disable\n${'ghp_'}${randomText.slice(0, 36)}`],
]

const harmlessTexts: readonly string[] = [
  'postgres://user:password@host:5432/database',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in code
  'postgres://postgres:${password}@127.0.0.1:5432/postgres',
  'postgres://postgres@127.0.0.1:5432/postgres',
  'postgres://adder:anything-1@127.0.0.1:5432/muster',
  'postgres://adder:anything-1@db.example/muster',
  'postgres://adder:x@h/muster',
  "const token = 'a-token-for-tests-of-more-than-32-characters'",
  'MUSTER_API_TOKEN=0123456789abcdef0123456789abcdef',
  'const token = readTokenFromTheFileItWasMountedAt(path)',
  'Authorization: Bearer <your-token-of-32-characters>',
  `"integrity": "sha512-${randomText}${randomText}=="`,
  '-----BEGIN PRIVATE KEY-----',
]

describe('findSecrets', () => {
  for (const [kind, text] of secrets)
    it(`finds a secret of the kind "${kind}": ${text.slice(0, 16).replaceAll('\n', ' ')}…`, async () => {
      const foundSecrets = await findSecrets(`first line\n${text}\nlast line`)
      assert.ok(
        foundSecrets.some((secret) => secret.kind === kind),
        JSON.stringify(foundSecrets),
      )
    })

  for (const text of harmlessTexts)
    it(`ignores the harmless text: ${text}`, async () => {
      assert.deepEqual(await findSecrets(text), [])
    })

  it('reports the line number, but only the first four characters of the secret', async () => {
    const [secret] = await findSecrets(`one\ntwo\nMUSTER_API_TOKEN=${randomText}\n`)
    assert.equal(secret?.line, 3)
    assert.match(secret.excerpt, new RegExp(`^${randomText.slice(0, 4)}… \\([0-9a-f]{16}\\)$`))
  })
})

describe('inspect', () => {
  const makeRepository = (t: TestContext): { folder: string; root: URL; git: (...args: string[]) => void } => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-supply-'))
    t.after(() => rmSync(folder, { recursive: true }))
    for (const file of ['package-lock.json', '.npmrc'])
      copyFileSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), join(folder, file))
    const settings = [
      'user.name=test',
      'user.email=test@example.com',
      'commit.gpgsign=false',
      'core.hooksPath=/dev/null',
    ]
    const git = (...args: string[]): void => {
      execFileSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], { cwd: folder, stdio: 'pipe' })
    }
    return { folder, root: pathToFileURL(`${folder}/`), git }
  }

  it('finds no violations in a repository without secrets, and reports that it has no git history', async (t) => {
    const { root } = makeRepository(t)
    const { violations, historyTextCount } = await inspect(root)
    assert.deepEqual(violations, [])
    assert.equal(historyTextCount, undefined)
  })

  it('finds secrets in uncommitted and in binary files', async (t) => {
    const { folder, root } = makeRepository(t)
    writeFileSync(join(folder, '.env'), `MUSTER_API_TOKEN=${randomText}\n`)
    writeFileSync(
      join(folder, 'image.bin'),
      Buffer.concat([Buffer.from([0, 255, 10]), Buffer.from(`ghp_${randomText.slice(0, 36)}`)]),
    )
    const { violations } = await inspect(root)
    const locations = violations.map((violation) => violation.split(' ')[0])
    assert.deepEqual(locations.sort(), ['.env:1', 'image.bin:2'])
  })

  it('finds a secret in an earlier version of a file, and one in a commit message', async (t) => {
    const { folder, root, git } = makeRepository(t)
    git('init', '--quiet')
    writeFileSync(join(folder, 'settings.ts'), `export const apiKey = '${randomText}'\n`)
    git('add', '.')
    git('commit', '--quiet', '--message', 'add settings')
    writeFileSync(join(folder, 'settings.ts'), 'export const apiKey = undefined\n')
    git('commit', '--quiet', '--all', '--message', `fix: forget it\n\nIt was ${'ghp_'}${randomText.slice(0, 36)}.`)
    const { violations, historyTextCount } = await inspect(root)
    assert.equal(violations.length, 2, violations.join('\n'))
    assert.ok(violations.some((line) => /^settings\.ts in history \([0-9a-f]{40}\):1 .*assigned secret/.test(line)))
    assert.ok(violations.some((line) => /^the message of commit [0-9a-f]{40}:\d+ .*github/.test(line)))
    // The history has three files, one of them in two versions, and two commit messages.
    assert.equal(historyTextCount, 6)
  })
})
