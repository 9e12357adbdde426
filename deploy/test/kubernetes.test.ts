/** The manifests for Kubernetes are what its schemas ask for, and agree with each other, the image and the settings. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { settings } from '../../service/src/config.ts'
import type { Manifest } from './kubernetes.ts'
import { faultsOf, readManifests } from './kubernetes.ts'

const folder = join(import.meta.dirname, '..', 'kubernetes')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'))
const manifests = files.flatMap((file) => readManifests(readFileSync(join(folder, file), 'utf8')))

const only = (kind: string): Manifest => {
  const [found, ...others] = manifests.filter((manifest) => manifest.kind === kind)
  assert.ok(found !== undefined && others.length === 0, kind)
  return found
}
const deployment = only('Deployment')
const job = only('Job')
const pod = deployment.spec.template
const [container] = pod.spec.containers

describe('manifests for Kubernetes', () => {
  for (const manifest of manifests) {
    it(`keep the schema of ${manifest.kind}`, async () => {
      assert.deepEqual(await faultsOf(manifest), [])
    })
  }

  it('are judged by schemas that can say no', async () => {
    const broken = structuredClone(deployment)
    broken.spec.replicas = 'two'
    assert.deepEqual(await faultsOf(broken), ['/spec/replicas breaks its type'])
    const misspelt = structuredClone(deployment)
    misspelt.spec.template.spec.containers[0].readinesProbe = {}
    assert.deepEqual(await faultsOf(misspelt), ['nothing is known of /spec/template/spec/containers/0/readinesProbe'])
  })

  it('choose the pods of the service, and not those that migrate', () => {
    const { labels } = pod.metadata
    assert.deepEqual(deployment.spec.selector.matchLabels, labels)
    assert.deepEqual(only('Service').spec.selector, labels)
    assert.deepEqual(only('PodDisruptionBudget').spec.selector.matchLabels, labels)
    assert.deepEqual(only('NetworkPolicy').spec.podSelector.matchLabels, labels)
    assert.equal(only('HorizontalPodAutoscaler').spec.scaleTargetRef.name, deployment.metadata.name)
    assert.notDeepEqual(job.spec.template.metadata.labels, labels)
  })

  it('name ports, secrets and settings that are there', () => {
    const ports = container.ports.map(({ name }: { name: string }) => name)
    assert.deepEqual(ports, ['http', 'metrics'])
    assert.equal(only('Service').spec.ports[0].targetPort, 'http')
    const known = new Set<string>(settings.map(({ name }) => name))
    const secrets = manifests.filter(({ kind }) => kind === 'Secret')
    const held = new Set(secrets.flatMap(({ stringData }) => Object.keys(stringData)))
    const named = [...container.env, ...job.spec.template.spec.containers[0].env] as { name: string; value: string }[]
    for (const { name, value } of named) {
      assert.ok(known.has(name), name)
      assert.ok(held.has(value.replace('/run/secrets/muster/', '')), value)
    }
    for (const name of Object.keys(only('ConfigMap').data)) assert.ok(known.has(name), name)
  })

  it('give no pod more than it needs', () => {
    for (const { spec } of [pod, job.spec.template]) {
      assert.equal(spec.automountServiceAccountToken, false)
      assert.equal(spec.securityContext.runAsNonRoot, true)
      for (const { securityContext, resources } of spec.containers) {
        assert.deepEqual(securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        assert.ok(resources.limits.memory)
      }
    }
  })

  it('never give the owner of the tables to pods that serve', () => {
    const ofOwner = manifests.find(({ metadata }) => metadata.name === 'muster-owner')
    assert.ok(ofOwner !== undefined)
    assert.doesNotMatch(JSON.stringify(deployment), /owner/)
  })
})
