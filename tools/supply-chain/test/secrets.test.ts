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
const secrets: readonly (readonly [kind: string, text: string])[] = [
  ['private key', `-----BEGIN ${'RSA '}PRIVATE KEY-----\n${randomText}\n`],
  ['private key', `key = "-----BEGIN ${''}PRIVATE KEY-----\\n${randomText}"`],
  ['AWS key', `${'AKIA'}${'Q7ZP2LX9WD4KN8VT'}`],
  ['GitHub token', `${'ghp_'}${randomText}`],
  ['GitHub token', `${'github_pat_'}${randomText}${randomText}`],
  ['GitLab token', `${'glpat-'}${randomText.slice(0, 20)}`],
  ['npm token', `//host.invalid/:_authToken=${'npm_'}${randomText.slice(0, 36)}`],
  ['Slack token', `${'xoxb-'}${randomText.slice(0, 12)}`],
  ['Stripe key', `${'sk_live_'}${randomText.slice(0, 24)}`],
  ['Google key', `${'AIza'}${randomText.slice(0, 35)}`],
  ['SendGrid key', `${'SG.'}${randomText.slice(0, 22)}.${randomText}`],
  ['OpenAI or Anthropic key', `${'sk-proj-'}${randomText}`],
  ['OpenAI or Anthropic key', `${'sk-ant-'}${'api03-'}${randomText}`],
  ['Shopify token', `${'shpat_'}${'9f86d081884c7d659a2feaa0c55ad015'}`],
  ['Linear key', `${'lin_api_'}${randomText}`],
  ['DigitalOcean token', `${'dop_v1_'}${'9f86d081884c7d659a2feaa0c55ad015'.repeat(2)}`],
  ['Hugging Face token', `${'hf_'}${randomText}`],
  ['Vault token', `${'hvs.'}${randomText}`],
  ['Slack webhook', `https://hooks.slack.com/${'services'}/T0AB/B0CD/${randomText.slice(0, 24)}`],
  ['signed token', `${'eyJ'}${randomText}.${'eyJ'}${randomText}.${randomText}`],
  ['password in a URL', `postgres://muster:${'Tr0ub4dor'}@db.internal/muster`],
  ['password in a URL', `redis://:${'hunter2'}@cache.internal:6379`],
  ['bearer token', `curl -H 'Authorization: Bearer ${randomText}'`],
  ['assigned secret', `MUSTER_API_TOKEN=${randomText}`],
  ['assigned secret', `{ "clientSecret": "${randomText.toLowerCase()}" }`],
  ['assigned secret', `password: '${'9f86d081884c7d659a2feaa0'}${'c55ad015a3bf4f1b'}'`],
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
    it(`finds a secret of the kind "${kind}": ${text.slice(0, 16).replaceAll('\n', ' ')}…`, () => {
      const foundSecrets = findSecrets(`first line\n${text}\nlast line`)
      assert.ok(
        foundSecrets.some((secret) => secret.kind === kind),
        JSON.stringify(foundSecrets),
      )
    })

  for (const text of harmlessTexts)
    it(`ignores the harmless text: ${text}`, () => {
      assert.deepEqual(findSecrets(text), [])
    })

  it('reports the line number, but only the first four characters of the secret', () => {
    const [secret] = findSecrets(`one\ntwo\nMUSTER_API_TOKEN=${randomText}\n`)
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

  it('finds no violations in a repository without secrets, and reports that it has no git history', (t) => {
    const { root } = makeRepository(t)
    assert.deepEqual(inspect(root).violations, [])
    assert.equal(inspect(root).historyTextCount, undefined)
  })

  it('finds secrets in uncommitted and in binary files', (t) => {
    const { folder, root } = makeRepository(t)
    writeFileSync(join(folder, '.env'), `MUSTER_API_TOKEN=${randomText}\n`)
    writeFileSync(
      join(folder, 'image.bin'),
      Buffer.concat([Buffer.from([0, 255, 10]), Buffer.from(`ghp_${randomText}`)]),
    )
    const locations = inspect(root).violations.map((violation) => violation.split(' ')[0])
    assert.deepEqual(locations.sort(), ['.env:1', 'image.bin:2'])
  })

  it('finds a secret in an earlier version of a file, and one in a commit message', (t) => {
    const { folder, root, git } = makeRepository(t)
    git('init', '--quiet')
    writeFileSync(join(folder, 'settings.ts'), `export const apiKey = '${randomText}'\n`)
    git('add', '.')
    git('commit', '--quiet', '--message', 'add settings')
    writeFileSync(join(folder, 'settings.ts'), 'export const apiKey = undefined\n')
    git('commit', '--quiet', '--all', '--message', `fix: forget it\n\nIt was ${'ghp_'}${randomText}.`)
    const { violations, historyTextCount } = inspect(root)
    assert.equal(violations.length, 2, violations.join('\n'))
    assert.ok(violations.some((line) => /^settings\.ts in history \([0-9a-f]{40}\):1 .*assigned secret/.test(line)))
    assert.ok(violations.some((line) => /^the message of commit [0-9a-f]{40}:\d+ .*GitHub token/.test(line)))
    // The history has three files, one of them in two versions, and two commit messages.
    assert.equal(historyTextCount, 6)
  })
})
