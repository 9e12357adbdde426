/** The Kubernetes manifests are valid by their schemas and consistent with each other and with the settings. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { settings } from '../../packages/server/src/config/settings.ts'
import type { Manifest } from './kubernetes.ts'
import { manifestErrors, readManifests } from './kubernetes.ts'

const folder = join(import.meta.dirname, '..', '..', 'deploy', 'kubernetes')
// kustomize itself rejects a wrong kustomization: see containers/pods.test.ts.
const manifestFiles = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /(?<!kustomization)\.yaml$/.test(name),
)
const manifests = manifestFiles.flatMap((file) => readManifests(readFileSync(join(folder, file), 'utf8')))

const manifestOfKind = (kind: string): Manifest => {
  const [match, ...others] = manifests.filter((manifest) => manifest.kind === kind)
  assert.ok(match !== undefined && others.length === 0, kind)
  return match
}
const deployment = manifestOfKind('Deployment')
const job = manifestOfKind('Job')
const podTemplate = deployment.spec.template
const [container] = podTemplate.spec.containers

describe('manifests for Kubernetes', () => {
  for (const manifest of manifests) {
    it(`are valid by the schema of ${manifest.kind}`, async () => {
      assert.deepEqual(await manifestErrors(manifest), [])
    })
  }

  it('are rejected if a value has the wrong type or a field is misspelt', async () => {
    const manifestWithWrongType = structuredClone(deployment)
    manifestWithWrongType.spec.replicas = 'two'
    assert.deepEqual(await manifestErrors(manifestWithWrongType), ['/spec/replicas violates type'])
    const manifestWithMisspeltField = structuredClone(deployment)
    manifestWithMisspeltField.spec.template.spec.containers[0].readinesProbe = {}
    assert.deepEqual(await manifestErrors(manifestWithMisspeltField), [
      'unknown field /spec/template/spec/containers/0/readinesProbe',
    ])
  })

  it('select the pods of the service but not the pod of the migration job', () => {
    const { labels } = podTemplate.metadata
    assert.deepEqual(deployment.spec.selector.matchLabels, labels)
    assert.deepEqual(manifestOfKind('Service').spec.selector, labels)
    assert.deepEqual(manifestOfKind('PodDisruptionBudget').spec.selector.matchLabels, labels)
    assert.equal(manifestOfKind('HorizontalPodAutoscaler').spec.scaleTargetRef.name, deployment.metadata.name)
    assert.notDeepEqual(job.spec.template.metadata.labels, labels)
  })

  it('limit the connections of the service and of the migration job', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
    assert.deepEqual(
      policies.map(({ spec }) => spec.podSelector.matchLabels),
      [podTemplate.metadata.labels, job.spec.template.metadata.labels],
    )
    for (const { spec } of policies) assert.deepEqual(spec.policyTypes, ['Ingress', 'Egress'])
    assert.equal(policies[1]?.spec.ingress, undefined)
  })

  it('wait for a new pod longer than the migration may take', () => {
    assert.ok(deployment.spec.progressDeadlineSeconds > job.spec.activeDeadlineSeconds)
  })

  it('ask for no more database connections than the example of PostgreSQL has', () => {
    const { maxReplicas } = manifestOfKind('HorizontalPodAutoscaler').spec
    const podCount = maxReplicas + deployment.spec.strategy.rollingUpdate.maxSurge
    const setting = settings.find(({ name }) => name === 'MUSTER_POOL_SIZE') as { readonly default: string }
    const poolSize = Number(setting.default)
    // See "Sizing" in docs/operations.md.
    const connections = podCount * (2 * poolSize + 2 * Math.ceil(poolSize / 2) + 9)
    const { max_connections } = manifestOfKind('Cluster').spec.postgresql.parameters
    assert.ok(connections + 20 <= Number(max_connections), `${connections} of ${max_connections}`)
  })

  it('apply a new migration job with every release, with the image of that release', () => {
    const { version } = JSON.parse(readFileSync(join(folder, '..', '..', 'package.json'), 'utf8'))
    assert.equal(job.metadata.name, `muster-migrate-${version.replaceAll('.', '-')}`)
    for (const { spec } of [podTemplate, job.spec.template]) assert.equal(spec.containers[0].image, `muster:${version}`)
  })

  it('lead from the routes and the monitor to ports of the service', () => {
    const { metadata, spec } = manifestOfKind('Service')
    const ports = new Map(spec.ports.map(({ name, port }: { name: string; port: number }) => [name, port]))
    const [rule] = manifestOfKind('Ingress').spec.rules
    assert.deepEqual(rule.http.paths[0].backend.service, { name: metadata.name, port: { name: 'http' } })
    const [reference] = manifestOfKind('HTTPRoute').spec.rules[0].backendRefs
    assert.deepEqual(reference, { name: metadata.name, port: ports.get('http') })
    const monitor = manifestOfKind('ServiceMonitor')
    assert.deepEqual(monitor.spec.selector.matchLabels, metadata.labels)
    assert.ok(ports.has(monitor.spec.endpoints[0].port))
  })

  it('refer only to ports, secrets and settings that exist', () => {
    const portNames = container.ports.map(({ name }: { name: string }) => name)
    assert.deepEqual(portNames, ['http', 'metrics'])
    assert.equal(manifestOfKind('Service').spec.ports[0].targetPort, 'http')
    const settingNames = new Set<string>(settings.map(({ name }) => name))
    const secrets = manifests.filter(({ kind }) => kind === 'Secret')
    const secretNames = new Set(secrets.flatMap(({ stringData }) => Object.keys(stringData)))
    const variables = [...container.env, ...job.spec.template.spec.containers[0].env] as {
      name: string
      value: string
    }[]
    for (const { name, value } of variables) {
      assert.ok(settingNames.has(name), name)
      assert.ok(secretNames.has(value.replace(/^\/run\/secrets\/muster(-owner)?\//, '')), value)
    }
    for (const name of Object.keys(manifestOfKind('ConfigMap').data)) assert.ok(settingNames.has(name), name)
  })

  it('give pods minimal privileges', () => {
    for (const { spec } of [podTemplate, job.spec.template]) {
      assert.equal(spec.automountServiceAccountToken, false)
      assert.equal(spec.serviceAccountName, manifestOfKind('ServiceAccount').metadata.name)
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

  it('do not give the password of the table owner to the pods of the service', () => {
    const ownerSecret = manifests.find(({ metadata }) => metadata.name === 'muster-owner')
    assert.ok(ownerSecret !== undefined)
    assert.doesNotMatch(JSON.stringify(deployment), /owner/)
  })
})
