/** What holds for the source files of the console: names of files, style sheets, and the documented screens. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { mainScreens, screens } from '../src/frame/screens.ts'
import { breakpoints } from '../src/styles/breakpoints.ts'

const folder = fileURLToPath(new URL('../src/', import.meta.url))
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
const read = (file: string): string => readFileSync(join(folder, file), 'utf8')

test('media queries of style sheets have the widths in breakpoints.ts', () => {
  const found = new Set<number>()
  for (const file of files.filter((name) => name.endsWith('.css'))) {
    const queries = [...read(file).matchAll(/@media[^{]*/g)].join()
    for (const [, bound, pixels] of queries.matchAll(/\((min|max)-width: (\d+)px\)/g))
      found.add(Number(pixels) + (bound === 'max' ? 1 : 0))
    assert.doesNotMatch(read(file), /@media[^{]*\(width\b/, file)
  }
  const widths = (numbers: Iterable<number>) => [...numbers].toSorted((a, b) => a - b)
  assert.deepEqual(widths(found), widths(Object.values(breakpoints)))
})

/** The classes that a style sheet has rules for. */
const classesOf = (sheet: string): string[] => {
  // The innermost braces contain declarations, so what remains are selectors and media queries.
  const selectors = read(sheet)
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\{[^{}]*\}/g, '{}')
    .replaceAll(/:global\([^)]*\)/g, '')
  return [...new Set([...selectors.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name = '']) => name))]
}

test('each class of a style sheet of a component is used, and each class that is used exists', () => {
  const scripts = files.filter((file) => /\.tsx?$/.test(file))
  const strings = new Set(scripts.flatMap((file) => [...read(file).matchAll(/'([\w-]+)'/g)].map(([, text]) => text)))
  const usedBySheet = new Map<string, Set<string>>()
  const chosenByValue = new Set<string>()
  for (const file of scripts) {
    const text = read(file)
    for (const [, name, path = ''] of text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      const sheet = join(dirname(file), path)
      const used = usedBySheet.get(sheet) ?? new Set()
      usedBySheet.set(sheet, used)
      for (const [, property = ''] of text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))) used.add(property)
      if (text.includes(`${name}[`)) chosenByValue.add(sheet)
    }
  }
  const wrong = files
    .filter((file) => file.endsWith('.module.css'))
    .flatMap((sheet) => {
      const declared = classesOf(sheet)
      const used = usedBySheet.get(sheet) ?? new Set()
      return [
        ...declared
          .filter((name) => !used.has(name) && !(chosenByValue.has(sheet) && strings.has(name)))
          .map((name) => `${sheet}: .${name} is not used`),
        ...[...used].filter((name) => !declared.includes(name)).map((name) => `${sheet}: there is no .${name}`),
      ]
    })
  assert.deepEqual(wrong, [])
})

test('each global class is used, and each global class that is used exists', () => {
  const used = files
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => [...read(file).matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g)])
    .flatMap(([, text, template = '']) => (text ?? template.replaceAll(/\$\{[^}]*\}/g, '')).split(' '))
    .filter(Boolean)
  assert.deepEqual([...new Set(used)].toSorted(), classesOf('styles/base.css').toSorted())
})

test('no two components or style sheets have the same file name', () => {
  const names = files.filter((file) => /\.(?:tsx|css)$/.test(file)).map((file) => basename(file))
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})

test('a file that exports one hook and nothing else is named after it', () => {
  const wrong = files.filter((file) => {
    if (!/\.tsx?$/.test(file)) return false
    const names = [...read(file).matchAll(/^export (?:async )?(?:const|function|class|enum) (\w+)/gm)].map(
      ([, name]) => name ?? '',
    )
    const [name = ''] = names
    return names.length === 1 && /^use[A-Z]/.test(name) && kebabCase(name) !== basename(file).replace(/\.tsx?$/, '')
  })
  assert.deepEqual(wrong, [])
})

const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

test('one file listens to the keys of the whole page, and the session only notices that there are some', () => {
  assert.deepEqual(
    files.filter((file) => /\.tsx?$/.test(file) && /'key(?:down|up|press)'|\.onkey/.test(read(file))).toSorted(),
    ['frame/use-keys.ts', 'service/session.tsx'],
  )
})

test('each file of a screen is in the list of screens', () => {
  assert.deepEqual(
    files.filter((file) => /^screens\/[^/]+\/\w+Screen\.tsx$/.test(file)).toSorted(),
    screens.map(({ file }) => `screens/${file}.tsx`).toSorted(),
  )
})

test('the table of screens in docs/console.md has the screens of the navigation and their questions', () => {
  const text = readFileSync(new URL('../../../docs/console.md', import.meta.url), 'utf8')
  for (const { label, question = '' } of mainScreens)
    assert.ok(text.includes(`\n| ${label} | ${question}`), `${label}: ${question}`)
})

test('the table of keys in docs/console.md has the letter of each screen', () => {
  const text = readFileSync(new URL('../../../docs/console.md', import.meta.url), 'utf8')
  const letters = mainScreens.map(({ key, label }) => `\`${key}\` ${label}`).join(', ')
  assert.ok(text.includes(`| \`g\`, then a letter | go to a screen: ${letters} |`), letters)
})
