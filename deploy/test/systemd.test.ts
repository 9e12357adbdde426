/** The unit for systemd is one that systemd reads without a word, and locks the service in. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { settings } from '../../service/src/config.ts'

const unit = readFileSync(join(import.meta.dirname, '..', 'systemd', 'muster.service'), 'utf8')
/** With the Node that runs this in place of the one of the machine it is meant for. */
const here = unit.replace('/usr/bin/node', process.execPath)
/** systemd's own scale, on which 10 is a service that may do anything. */
const mostExposure = 1.5

describe('the unit for systemd', () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-unit-'))
  after(() => rmSync(folder, { recursive: true }))
  const analyze = (text: string, ...args: readonly string[]): string => {
    const file = join(folder, 'muster.service')
    writeFileSync(file, text)
    const { stdout, stderr, error } = spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' })
    if (error !== undefined) throw error
    return stdout + stderr
  }

  it('is read by systemd-analyze verify, which can say no', () => {
    assert.equal(analyze(here, 'verify'), '')
    assert.match(analyze(here.replace('ProtectSystem=strict', 'ProtectSystem=tight'), 'verify'), /protect system value/)
  })

  it('leaves little open, as systemd-analyze security counts it', () => {
    const exposure = (text: string) =>
      Number(/exposure level for muster\.service: ([\d.]+)/.exec(analyze(text, 'security', '--offline=true'))?.[1])
    assert.ok(exposure(here) <= mostExposure, String(exposure(here)))
    assert.ok(exposure(here.replace('DynamicUser=yes\n', '').replace('NoNewPrivileges=yes\n', '')) > mostExposure)
  })

  it('names settings that are there', () => {
    const known = new Set<string>(['NODE_ENV', ...settings.map(({ name }) => name)])
    for (const [, name = ''] of unit.matchAll(/^Environment=(\w+)=/gm)) assert.ok(known.has(name), name)
  })
})
