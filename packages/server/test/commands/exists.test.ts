import assert from 'node:assert/strict'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { exists } from '../../src/commands/exists.ts'

describe('a file', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-exists-'))
    await writeFile(join(folder, 'file'), '')
    await symlink('loop', join(folder, 'loop'))
  })
  after(() => rm(folder, { recursive: true }))

  it('exists or not', async () => {
    assert.equal(await exists(join(folder, 'file')), true)
    for (const name of ['other', 'file/below', 'other/below']) assert.equal(await exists(join(folder, name)), false)
  })

  it('is not said to be missing if that cannot be seen', () =>
    assert.rejects(exists(join(folder, 'loop')), { code: 'ELOOP' }))
})
