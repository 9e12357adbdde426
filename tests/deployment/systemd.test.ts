import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { settings } from '../../packages/server/src/config/settings.ts'

/** On the scale of `systemd-analyze security`, 0 is fully restricted and 10 is unrestricted. */
const maxExposure = 1.5

for (const unit of ['muster.service', 'muster-webhooks.service'])
  describe(`the systemd unit ${unit}`, () => {
    const unitText = readFileSync(join(import.meta.dirname, '..', '..', 'deploy', 'systemd', unit), 'utf8')
    /** The unit with the path of the Node.js binary on this machine. */
    const localUnitText = unitText.replace('/usr/bin/node', process.execPath)
    const folder = mkdtempSync(join(tmpdir(), 'muster-unit-'))
    after(() => rmSync(folder, { recursive: true }))
    const runAnalyze = (text: string, ...args: readonly string[]): string => {
      const file = join(folder, 'muster.service')
      writeFileSync(file, text)
      const { stdout, stderr, error } = spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' })
      if (error !== undefined) throw error
      return stdout + stderr
    }

    it('passes systemd-analyze verify, which rejects an invalid value', () => {
      assert.equal(runAnalyze(localUnitText, 'verify'), '')
      assert.match(
        runAnalyze(localUnitText.replace('ProtectSystem=strict', 'ProtectSystem=tight'), 'verify'),
        /protect system value/,
      )
    })

    it('has a low exposure level according to systemd-analyze security', () => {
      const exposureLevel = (text: string) =>
        Number(/exposure level for muster\.service: ([\d.]+)/.exec(runAnalyze(text, 'security', '--offline=true'))?.[1])
      assert.ok(exposureLevel(localUnitText) <= maxExposure, String(exposureLevel(localUnitText)))
      assert.ok(
        exposureLevel(localUnitText.replace('DynamicUser=yes\n', '').replace('NoNewPrivileges=yes\n', '')) >
          maxExposure,
      )
    })

    it('sets only environment variables that exist as settings', () => {
      const knownVariables = new Set<string>(['NODE_ENV', ...settings.map(({ name }) => name)])
      for (const [, name = ''] of unitText.matchAll(/^Environment=(\w+)=/gm)) assert.ok(knownVariables.has(name), name)
    })
  })
