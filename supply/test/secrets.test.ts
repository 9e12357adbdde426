/** Secrets planted in a repository are found, in its files and in its history; what only resembles one is let be. */
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

/** Put together here, so that this file holds none itself. */
const random = ['q7Zp', '2Lx9', 'Wd4K', 'n8Vt', '3Rb6', 'Yh1S', 'm5Jc', '0FgE', 'u2Xa', 'T9oP'].join('')
const planted: readonly (readonly [kind: string, text: string])[] = [
  ['private key', `-----BEGIN ${'RSA '}PRIVATE KEY-----\n${random}\n`],
  ['private key', `key = "-----BEGIN ${''}PRIVATE KEY-----\\n${random}"`],
  ['AWS key', `${'AKIA'}${'Q7ZP2LX9WD4KN8VT'}`],
  ['GitHub token', `${'ghp_'}${random}`],
  ['GitHub token', `${'github_pat_'}${random}${random}`],
  ['GitLab token', `${'glpat-'}${random.slice(0, 20)}`],
  ['npm token', `//host.invalid/:_authToken=${'npm_'}${random.slice(0, 36)}`],
  ['Slack token', `${'xoxb-'}${random.slice(0, 12)}`],
  ['Stripe key', `${'sk_live_'}${random.slice(0, 24)}`],
  ['Google key', `${'AIza'}${random.slice(0, 35)}`],
  ['signed token', `${'eyJ'}${random}.${'eyJ'}${random}.${random}`],
  ['password in an address', `postgres://muster:${'Tr0ub4dor'}@db.internal/muster`],
  ['password in an address', `redis://:${'hunter2'}@cache.internal:6379`],
  ['bearer token', `curl -H 'Authorization: Bearer ${random}'`],
  ['assigned secret', `MUSTER_API_TOKEN=${random}`],
  ['assigned secret', `{ "clientSecret": "${random.toLowerCase()}" }`],
  ['assigned secret', `password: '${'9f86d081884c7d659a2feaa0'}${'c55ad015a3bf4f1b'}'`],
]

const harmless: readonly string[] = [
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
  `"integrity": "sha512-${random}${random}=="`,
  '-----BEGIN PRIVATE KEY-----',
]

describe('findSecrets', () => {
  for (const [kind, text] of planted)
    it(`finds a planted ${kind}: ${text.slice(0, 16).replaceAll('\n', ' ')}…`, () => {
      const found = findSecrets(`first line\n${text}\nlast line`)
      assert.ok(
        found.some((secret) => secret.kind === kind),
        JSON.stringify(found),
      )
    })

  for (const text of harmless)
    it(`lets be: ${text}`, () => {
      assert.deepEqual(findSecrets(text), [])
    })

  it('tells the line, and no more of the secret than four characters', () => {
    const [found] = findSecrets(`one\ntwo\nMUSTER_API_TOKEN=${random}\n`)
    assert.equal(found?.line, 3)
    assert.match(found.excerpt, new RegExp(`^${random.slice(0, 4)}… \\([0-9a-f]{16}\\)$`))
  })
})

describe('a repository', () => {
  const makeRepository = (t: TestContext): { folder: string; root: URL; git: (...args: string[]) => void } => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-supply-'))
    t.after(() => rmSync(folder, { recursive: true }))
    for (const file of ['package-lock.json', '.npmrc'])
      copyFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), join(folder, file))
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

  it('without secrets is in order, and says so where it has no history', (t) => {
    const { root } = makeRepository(t)
    assert.deepEqual(inspect(root).faults, [])
    assert.equal(inspect(root).remembered, undefined)
  })

  it('is searched in every file, committed or not, whatever its bytes', (t) => {
    const { folder, root } = makeRepository(t)
    writeFileSync(join(folder, '.env'), `MUSTER_API_TOKEN=${random}\n`)
    writeFileSync(join(folder, 'image.bin'), Buffer.concat([Buffer.from([0, 255, 10]), Buffer.from(`ghp_${random}`)]))
    const places = inspect(root).faults.map((fault) => fault.split(' ')[0])
    assert.deepEqual(places.sort(), ['.env:1', 'image.bin:2'])
  })

  it('is searched in its history: a secret that was removed, and one in a message', (t) => {
    const { folder, root, git } = makeRepository(t)
    git('init', '--quiet')
    writeFileSync(join(folder, 'settings.ts'), `export const apiKey = '${random}'\n`)
    git('add', '.')
    git('commit', '--quiet', '--message', 'add settings')
    writeFileSync(join(folder, 'settings.ts'), 'export const apiKey = undefined\n')
    git('commit', '--quiet', '--all', '--message', `fix: forget it\n\nIt was ${'ghp_'}${random}.`)
    const { faults, remembered } = inspect(root)
    assert.equal(faults.length, 2, faults.join('\n'))
    assert.ok(faults.some((fault) => /^settings\.ts in history \([0-9a-f]{40}\):1 .*assigned secret/.test(fault)))
    assert.ok(faults.some((fault) => /^the message of commit [0-9a-f]{40}:\d+ .*GitHub token/.test(fault)))
    // Three files, one of them in two versions, and two messages.
    assert.equal(remembered, 6)
  })
})
