/** The Kubernetes manifests, built by kustomize, and their pods, run by podman. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { stringify } from 'yaml'
import { postgresImage, servicesImage } from '../../support/containers/base-images.ts'
import { version } from '../../support/containers/image.ts'
import { podman } from '../../support/containers/podman.ts'
import { post, sendRequest, waitForStatus200 } from '../../support/http.ts'
import { waitUntil } from '../../support/wait.ts'
import type { Manifest } from '../kubernetes.ts'
import { manifestErrors, readManifests } from '../kubernetes.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const manifestsFolder = join(root, 'deploy', 'kubernetes')

/** Returns what `kubectl apply -k` would apply. */
const buildManifests = async (folder: string): Promise<Manifest[]> =>
  readManifests(
    await podman('run', '--rm', `--volume=${manifestsFolder}:/mnt:ro`, servicesImage, 'kustomize', 'build', folder),
  )
const ofKind = (manifests: readonly Manifest[], kind: string): Manifest => {
  const manifest = manifests.find((each) => each.kind === kind)
  assert.ok(manifest !== undefined, kind)
  return manifest
}

describe('kustomize', () => {
  it('builds the overlay production with its components, image and namespace', async () => {
    const manifests = await buildManifests('/mnt/overlays/production')
    assert.deepEqual(manifests.map(({ kind }) => kind).sort(), [
      ...['ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'Job', 'NetworkPolicy', 'NetworkPolicy'],
      ...['PodDisruptionBudget', 'Service', 'ServiceAccount', 'ServiceMonitor'],
    ])
    const { rules, tls } = ofKind(manifests, 'Ingress').spec
    assert.deepEqual([rules[0].host, tls[0].hosts], ['hr.example.com', ['hr.example.com']])
    for (const manifest of manifests) {
      assert.deepEqual(await manifestErrors(manifest), [], manifest.kind)
      assert.equal(manifest.metadata.namespace, 'muster', manifest.kind)
    }
    for (const kind of ['Deployment', 'Job'])
      assert.match(
        ofKind(manifests, kind).spec.template.spec.containers[0].image,
        /^registry\.example\.com\/muster:[\d.]+$/,
      )
  })
})

describe('pods', () => {
  const network = 'muster-pods'
  const database = 'muster-pods-postgres'
  const jobName = `muster-migrate-${version.replaceAll('.', '-')}`
  const deploymentPod = 'muster-pod-0'
  let folder: string
  let manifests: Manifest[]
  before(async () => {
    await removeAll()
    manifests = await buildManifests('/mnt/base')
    folder = mkdtempSync(join(tmpdir(), 'muster-pods-'))
    const host = `${database}:5432`
    const script = join(root, 'deploy', 'make-secrets.ts')
    execFileSync(process.execPath, [script, '--folder', secretFile(''), '--host', host, '--standby', host])
    await podman('network', 'create', network)
    await podman(
      ...['run', '--detach', `--name=${database}`, `--network=${network}`],
      `--volume=${secretFile('administrator_password')}:/run/secrets/administrator_password:ro`,
      `--volume=${secretFile('roles.sql')}:/docker-entrypoint-initdb.d/roles.sql:ro`,
      `--volume=${join(root, 'deploy/postgres/pg_hba.conf')}:/etc/postgresql/pg_hba.conf:ro`,
      ...['--env=POSTGRES_DB=muster', '--env=POSTGRES_PASSWORD_FILE=/run/secrets/administrator_password'],
      ...[postgresImage, 'postgres', '-c', 'hba_file=/etc/postgresql/pg_hba.conf'],
    )
    await waitUntil(
      'PostgreSQL is ready',
      () =>
        podman('exec', database, 'pg_isready', '--host=127.0.0.1').then(
          () => true,
          () => false,
        ),
      60_000,
    )
  })
  after(async () => {
    await removeAll()
    rmSync(folder, { recursive: true, force: true })
  })

  const removeAll = async (): Promise<void> => {
    await podman('pod', 'rm', '--force', '--ignore', deploymentPod, jobName)
    await podman('rm', '--force', '--ignore', '--time=0', '--volumes', database)
    await podman('volume', 'rm', '--force', 'muster-files-muster', 'muster-files-muster-owner')
    await podman('network', 'rm', '--force', network)
  }
  const secretFile = (name: string): string => join(folder, 'secrets', name)

  /** podman 4.3 does not decode the values of secrets in volumes, so the pods get the same files from ConfigMaps. */
  const withConfigMaps = (manifest: Manifest): Manifest[] => {
    const { volumes } = manifest.spec.template?.spec ?? manifest.spec
    return volumes.map((volume: { secret?: { secretName: string }; configMap?: object }) => {
      const name = `muster-files-${volume.secret?.secretName}`
      const keys =
        volume.secret?.secretName === 'muster-owner'
          ? ['owner_url']
          : ['writer_url', 'reader_url', 'replica_urls', 'api_token']
      delete volume.secret
      volume.configMap = { name, optional: false }
      const data = Object.fromEntries(keys.map((key) => [key, readFileSync(secretFile(key), 'utf8')]))
      return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }
    })
  }
  const play = async (...played: readonly Manifest[]): Promise<void> => {
    const file = join(folder, 'manifests.yaml')
    writeFileSync(file, played.map((manifest) => stringify(manifest)).join('---\n'))
    await podman('kube', 'play', `--network=${network}`, file)
  }

  it('of the migration job migrates the database', async () => {
    const { metadata, spec } = ofKind(manifests, 'Job')
    // podman 4.3 plays no jobs.
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: spec.template.spec }
    await play(...withConfigMaps(pod), pod)
    assert.equal(await podman('wait', `${jobName}-migrate`), '0')
  })

  it('of the deployment serves requests, as its user and from read-only files', async () => {
    const deployment = ofKind(manifests, 'Deployment')
    await play(...withConfigMaps(deployment), ofKind(manifests, 'ConfigMap'), deployment)
    const infraContainer = await podman('pod', 'inspect', '--format={{.InfraContainerID}}', deploymentPod)
    const address = await podman(
      ...['inspect', '--format={{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', infraContainer],
    )
    const url = `http://${address}:8080`
    await waitForStatus200(`${url}/readyz`)
    const authorization = `Bearer ${readFileSync(secretFile('api_token'), 'utf8').trim()}`
    assert.equal((await post(`${url}/api/v1/leave`, { leave_type: 'annual' }, { authorization })).status, 201)
    assert.equal((await sendRequest(`${url}/api/v1/leave`)).json.meta.total, 1)
    assert.match((await sendRequest(`http://${address}:9464/metrics`)).text, /^muster_/m)
    const container = `${deploymentPod}-muster`
    assert.equal(await podman('exec', container, 'id', '-u'), '1000')
    assert.equal(await podman('inspect', '--format={{.HostConfig.ReadonlyRootfs}}', container), 'true')
  })
})
