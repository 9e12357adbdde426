/** What `npm run generate` prints if a declaration is wrong. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const declarationFile = 'packages/model/src/resources/brands.ts'
const declaration = readFileSync(`${root}${declarationFile}`, 'utf8')

/** Loads a changed text of the declaration instead of the file. */
const hookWith = (text: string): string =>
  `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module'
    registerHooks({
      load: (url, context, next) =>
        url.endsWith(${JSON.stringify(declarationFile)})
          ? { format: 'module-typescript', source: ${JSON.stringify(text)}, shortCircuit: true }
          : next(url, context),
    })`)}`

const outputOf = async (text: string): Promise<readonly [code: number, err: string]> => {
  const args = ['--import', hookWith(text), 'tools/scripts/generate.ts', '--check']
  const { code, stderr } = await run(process.execPath, args, { cwd: root, env: { PATH: process.env.PATH } }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: { code: number; stderr: string }) => error,
  )
  return [code, stderr]
}

describe('npm run generate', () => {
  it('names a declaration that contradicts itself or another one in one sentence', async () => {
    for (const [from, to, sentence] of [
      [
        "reference('organizations'",
        "reference('organisations'",
        'brands.organization_id refers to organisations, which is not declared',
      ],
      ["naturalKey: ['", "naturalKey: ['nope', '", 'brands.nope is part of the natural key but not stored'],
    ] as const) {
      assert.ok(declaration.includes(from))
      assert.deepEqual(await outputOf(declaration.replace(from, to)), [1, `A declaration is wrong: ${sentence}\n`])
    }
  })

  it('names the line of a declaration that cannot be evaluated', async () => {
    const text = declaration.replace("reference('organizations'", "refrence('organizations'")
    const line = text.split('\n').findIndex((each) => each.includes('refrence(')) + 1
    assert.deepEqual(await outputOf(text), [
      1,
      `A declaration is wrong: ${declarationFile}:${line}: refrence is not defined\n`,
    ])
    const [code, err] = await outputOf(declaration.replace('fields: {', 'fields: {{'))
    assert.equal(code, 1)
    assert.match(err, /^A declaration is wrong: packages\/model\/src\/resources\/brands\.ts:\d+: .+\n$/)
  })
})
