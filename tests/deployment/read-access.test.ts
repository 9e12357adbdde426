import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parse } from 'yaml'

const readText = (name: string): string => readFileSync(join(import.meta.dirname, '..', '..', 'deploy', name), 'utf8')

/** The value of MUSTER_READS in each file with which the service can be deployed. */
const readModes: Readonly<Record<string, () => string | undefined>> = {
  'systemd/muster.service': () => /^Environment=MUSTER_READS=(\w+)$/m.exec(readText('systemd/muster.service'))?.[1],
  Dockerfile: () => /^ENV .*\bMUSTER_READS=(\w+)/m.exec(readText('Dockerfile'))?.[1],
  'compose.yaml': () => parse(readText('compose.yaml'), { merge: true }).services.muster.environment.MUSTER_READS,
  'kubernetes/base/config-map.yaml': () => parse(readText('kubernetes/base/config-map.yaml')).data.MUSTER_READS,
}

describe('without a setting of your own, personal fields need a token', () => {
  for (const [file, readMode] of Object.entries(readModes))
    it(`in ${file}`, () => {
      assert.equal(readMode(), 'redacted')
    })

  it('but the settings file of the systemd unit can change that', () => {
    const unit = readText('systemd/muster.service')
    assert.ok(unit.indexOf('Environment=MUSTER_READS') < unit.indexOf('EnvironmentFile='))
  })
})
