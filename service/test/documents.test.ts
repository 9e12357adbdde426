/** The documents and the code name the same things. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { errorCodes, faultTypes } from '@muster/model'
import { settings } from '../src/config.ts'

/** Runs of blanks count as one: tables may be aligned. */
const read = (name: string): string =>
  readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8').replace(/ +/g, ' ')

describe('docs/errors.md', () => {
  const document = read('docs/errors.md')
  const namesIn = (heading: string): string[] => {
    const section = document.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
    return [...section.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1] as string)
  }

  it('names every error code with its status, and no other', () => {
    assert.deepEqual(namesIn('Codes').sort(), Object.keys(errorCodes).sort())
    for (const [code, { status }] of Object.entries(errorCodes))
      assert.ok(document.includes(`| \`${code}\` | ${status} |`), code)
  })

  it('names every fault, and no other', () => {
    assert.deepEqual(namesIn('Faults').sort(), [...faultTypes].sort())
  })
})

describe('docs/decisions', () => {
  it('tells what every production package is for, at its exact version', () => {
    const { dependencies } = JSON.parse(read('service/package.json')) as { dependencies: Record<string, string> }
    const decision = read('docs/decisions/0002-dependencies.md')
    for (const [name, version] of Object.entries(dependencies)) {
      if (name !== '@muster/model') assert.ok(decision.includes(`| ${name} ${version} |`), name)
    }
  })
})

describe('SECURITY.md', () => {
  it('names only settings, scripts, commands and files that are there', () => {
    const named = [...read('SECURITY.md').matchAll(/`([^`]+)`|\]\(([^)#]+)/g)].map(
      ([, code, link]) => code ?? link ?? '',
    )
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const help = read('docs/command-line.md')
    const missing = named.filter((name) => {
      const [first = '', second = '', third = ''] = name.split(' ')
      if (/^(MUSTER|DATABASE)_/.test(name)) return !settings.some((setting) => setting.name === name.split('=')[0])
      if (first === 'npm') return scripts[third] === undefined || second !== 'run'
      if (first === 'muster') return !help.includes(`Usage: muster ${second}`)
      return /^[\w-]+\/[\w./-]*$/.test(name) && !existsSync(new URL(`../../${name}`, import.meta.url))
    })
    assert.deepEqual(missing, [])
  })
})

describe('docs/operations.md', () => {
  it('names every setting with its default and meaning, and no other', () => {
    const rows =
      read('docs/operations.md')
        .split('## Settings\n')[1]
        ?.match(/^\| `\w+` \|.*$/gm) ?? []
    const declared = settings.map((setting) => {
      const fallback = 'default' in setting ? ` \`${setting.default}\`` : ''
      return `| \`${setting.name}\` |${fallback} | ${setting.about} |`
    })
    assert.deepEqual(rows, declared)
  })
})

describe('CONTRIBUTING.md', () => {
  it('names every step of adding a resource that is easily missed, and only files that exist', () => {
    const section = read('CONTRIBUTING.md').split('## Adding a resource\n')[1]?.split('\n## ')[0] ?? ''
    for (const step of ['muster_keep_books', 'muster_record_', 'record_json', 'grants', 'npm run generate'])
      assert.ok(section.includes(step), step)
    const files = [...section.matchAll(/`([\w-]+\/[\w./-]+)`/g)].map(([, file = '']) => file)
    assert.ok(files.length > 10)
    for (const file of files) assert.ok(existsSync(new URL(`../../${file}`, import.meta.url)), file)
  })
})
