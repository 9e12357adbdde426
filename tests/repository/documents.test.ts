import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { errorCodes, errorTypes, healthRules } from '@muster/model'
import { mapNames } from '../../packages/server/src/commands/sync-maps.ts'
import { settings } from '../../packages/server/src/config/settings.ts'
import { poolNames } from '../../packages/server/src/postgres/sql/statement.ts'

/** Collapses spaces, because the columns of a table may be aligned with them. */
const readDocument = (name: string): string =>
  readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8').replace(/ +/g, ' ')

describe('docs/errors.md', () => {
  const document = readDocument('docs/errors.md')
  const namesInSection = (heading: string): string[] => {
    const section = document.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
    return [...section.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1] as string)
  }

  it('lists exactly the error codes that exist, each with its status', () => {
    assert.deepEqual(namesInSection('Codes').sort(), Object.keys(errorCodes).sort())
    for (const [code, { status }] of Object.entries(errorCodes))
      assert.ok(document.includes(`| \`${code}\` | ${status} |`), code)
  })

  it('lists exactly the error types that exist', () => {
    assert.deepEqual(namesInSection('Error types').sort(), [...errorTypes].sort())
  })
})

describe('docs/reports.md', () => {
  it('lists exactly the rules of data health', () => {
    const rows =
      readDocument('docs/reports.md')
        .split('## Data health\n')[1]
        ?.match(/^\| `\w+` \|.*$/gm) ?? []
    assert.deepEqual(
      rows,
      healthRules.map(
        ({ name, resource, severity, about, personal }) =>
          `| \`${name}\` | ${resource} | ${severity} | ${about.replace(/\.$/, '')} |${personal ? ' yes' : ''} |`,
      ),
    )
  })
})

describe('docs/recipes/nightly-import.md', () => {
  it('lists the maps of this release', async () => {
    const listed = [...readDocument('docs/recipes/nightly-import.md').matchAll(/^\| `([\w-]+)` \|/gm)].map(
      ([, name]) => name,
    )
    assert.deepEqual(listed.toSorted(), await mapNames())
  })
})

describe('docs/decisions', () => {
  it('are listed in the index exactly once, each with its title', () => {
    const files = globSync('0*.md', { cwd: new URL('../../docs/decisions/', import.meta.url) })
    const listed = [...readDocument('docs/decisions/README.md').matchAll(/^- \[(.+)\]\((.+?)\)/gm)].map(
      ([, title, file]) => `${file}: # ${title}`,
    )
    assert.deepEqual(
      listed.toSorted(),
      files.map((file) => `${file}: ${readDocument(`docs/decisions/${file}`).split('\n')[0]}`).toSorted(),
    )
  })

  it('explains every production dependency with its exact version', () => {
    const { dependencies } = JSON.parse(readDocument('packages/server/package.json')) as {
      dependencies: Record<string, string>
    }
    const dependencyDecision = readDocument('docs/decisions/0002-dependencies.md')
    for (const [name, version] of Object.entries(dependencies)) {
      if (!name.startsWith('@muster/')) assert.ok(dependencyDecision.includes(`| ${name} ${version} |`), name)
    }
  })
})

describe('SECURITY.md', () => {
  it('mentions only settings, scripts, commands and files that exist', () => {
    const mentionedNames = [...readDocument('SECURITY.md').matchAll(/`([^`]+)`|\]\(([^)#]+)/g)].map(
      ([, code, link]) => code ?? link ?? '',
    )
    const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> }
    const commandLineDocs = readDocument('docs/command-line.md')
    const missingNames = mentionedNames.filter((name) => {
      const [firstWord = '', secondWord = '', thirdWord = ''] = name.split(' ')
      if (/^(MUSTER|DATABASE)_/.test(name)) return !settings.some((setting) => setting.name === name.split('=')[0])
      if (firstWord === 'npm') return scripts[thirdWord] === undefined || secondWord !== 'run'
      if (firstWord === 'muster') return !commandLineDocs.includes(`Usage: muster ${secondWord}`)
      return /^[\w-]+\/[\w./-]*$/.test(name) && !existsSync(new URL(`../../${name}`, import.meta.url))
    })
    assert.deepEqual(missingNames, [])
  })
})

describe('docs/observability.md', () => {
  it('lists exactly the connection pools', () => {
    const list = /^Pools: ([^.]*)\./m.exec(readDocument('docs/observability.md'))?.[1] ?? ''
    assert.deepEqual(
      [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name),
      [...poolNames],
    )
  })
})

describe('docs/operations.md', () => {
  it('lists exactly the settings that exist, each with its default and meaning', () => {
    const rows =
      readDocument('docs/operations.md')
        .split('## Settings\n')[1]
        ?.match(/^\| `\w+` \|.*$/gm) ?? []
    const expectedRows = settings.map((setting) => {
      const defaultCell = 'default' in setting ? ` \`${setting.default}\`` : ''
      return `| \`${setting.name}\` |${defaultCell} | ${setting.about} |`
    })
    assert.deepEqual(rows, expectedRows)
  })
})

describe('docs/command-line.md', () => {
  /** The texts in the sources, with a wildcard in place of each expression. */
  const texts = globSync('packages/server/{src,bin}/**/*.{ts,js}', { cwd: new URL('../../', import.meta.url) }).flatMap(
    (name) =>
      [...readDocument(name).matchAll(/`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'/g)].map(([literal = '']) =>
        literal.slice(1, -1),
      ),
  )

  // tests/repository/node-version.test.ts compares the message for an old Node.
  it('quotes error messages with the words of the code', () => {
    const section = readDocument('docs/command-line.md').split('## Error messages\n')[1]?.split('\n## ')[0] ?? ''
    const messages = [...section.matchAll(/^\| (?!Cause|---|an old Node)[^|]+ \| ([^|]+) \|$/gm)].map(
      ([, message = '']) => message.replace(' (a warning)', ''),
    )
    assert.ok(messages.length > 15)
    assert.deepEqual(
      messages.filter((message) => !texts.some((text) => isTextOf(text, message))),
      [],
    )
  })
})

/** Each expression in the text stands for any words. */
const isTextOf = (text: string, message: string): boolean => {
  const words = text.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/)
  return words.join('').length >= 15 && new RegExp(`^${words.map(RegExp.escape).join('.*')}$`).test(message)
}

describe('every document', () => {
  const documents = globSync('{*.md,{docs,deploy,tests}/**/*.md,packages/*/*.md}', {
    cwd: new URL('../../', import.meta.url),
    exclude: (name) => name === 'node_modules',
  })

  // Without an install, npx would download the package "muster" of another project.
  it('says how to install Muster before it says npx muster', () => {
    const uses = documents.flatMap((name) => {
      const [before = '', ...after] = readDocument(name).split('npx muster')
      return after.length === 0 ? [] : [[name, /npm (ci|install)|#install/.test(before)] as const]
    })
    assert.ok(uses.length > 3)
    assert.deepEqual(
      uses.filter(([, isInstalled]) => !isInstalled),
      [],
    )
  })
})

describe('CONTRIBUTING.md', () => {
  const section = readDocument('CONTRIBUTING.md').split('## Adding a resource\n')[1]?.split('\n## ')[0]?.trim() ?? ''

  it('describes how to add a resource in at most 15 lines', () => {
    const lines = section.split('\n').filter((line) => line !== '')
    assert.ok(lines.length > 5 && lines.length <= 15, `${lines.length} lines`)
  })

  it('names only files that exist for that', () => {
    const files = [...section.matchAll(/`([\w-]+\/[\w./-]+)`/g)].map(([, file = '']) => file)
    assert.ok(files.length >= 2)
    for (const file of files) assert.ok(existsSync(new URL(`../../${file}`, import.meta.url)), file)
  })
})
