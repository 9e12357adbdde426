import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const preload = new URL('../../../../tests/support/without-stored-texts.ts', import.meta.url)

describe('resources whose texts are not stored', () => {
  it('have the lists, exports, counts and related records of the reference implementation', async () => {
    // Another process: the service reads the declarations from a module, and prepares statements for them.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        ...['--import', preload.href, '--test-name-pattern', '(?:candidates|leave requests|applications) matches'],
        fileURLToPath(new URL('list-reference.test.ts', import.meta.url)),
      ],
      { env: { ...env, WITHOUT_STORED_TEXTS: 'candidates,leave', LIST_REFERENCE_CASES: '720' } },
    ).catch((error: { stdout: string }) => Promise.reject(new Error(error.stdout)))
    assert.match(stdout, /^. pass 3$/m)
  })
})
