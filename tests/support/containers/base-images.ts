/**
 * Makes images from Debian packages that stand for those in the Dockerfile and compose.yaml, for machines that cannot
 * reach an image registry. They have names of their own, so that no other build takes them for the official ones.
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { imageExists, podman, runWithPodman } from './podman.ts'

const debianImage = 'localhost/muster-test-debian:trixie'
/** PostgreSQL, Redis, nginx and kustomize. */
export const servicesImage = 'localhost/muster-test-services:trixie'
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export const nodeImage = `localhost/muster-test-node:${process.versions.node}`
const testImage = (name: string): string => `localhost/muster-test-${name}:trixie`
export const postgresImage = testImage('postgres')

/** Replaces the names of the official images in compose.yaml. */
export const withTestImages = (composeText: string): string =>
  composeText.replaceAll(/image: (postgres|redis|nginx):\S+/g, (_, name: string) => `image: ${testImage(name)}`)

export const makeNodeImage = (): Promise<void> =>
  makeImage(nodeImage, async (folder) => {
    await makeDebianImage()
    const npmFile = process.env.npm_execpath
    if (npmFile === undefined) throw new Error('Run the tests with npm run, because the image gets a copy of npm.')
    await cp(process.execPath, join(folder, 'node'))
    await cp(dirname(dirname(npmFile)), join(folder, 'npm'), { recursive: true })
    const registry = process.env.npm_config_registry
    await writeFile(join(folder, 'npmrc'), registry === undefined ? '' : `registry=${registry}\n`)
    const certificates = process.env.NODE_EXTRA_CA_CERTS
    if (certificates === undefined) await writeFile(join(folder, 'certificates.pem'), '')
    else await cp(certificates, join(folder, 'certificates.pem'), { dereference: true })
    return `FROM ${debianImage}
COPY node /usr/local/bin/
COPY npm /usr/local/lib/node_modules/npm
COPY npmrc /usr/local/etc/
COPY certificates.pem /usr/local/etc/
ENV NODE_EXTRA_CA_CERTS=/usr/local/etc/certificates.pem
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --uid 1000 node
`
  })

export const makeServiceImages = async (): Promise<void> => {
  await makeImage(postgresImage, async (folder) => {
    await makeServicesImage()
    await cp(join(import.meta.dirname, 'postgres-entrypoint.sh'), join(folder, 'entrypoint'))
    return `FROM ${servicesImage}
ENV LANG=C.UTF-8 PGDATA=/var/lib/postgresql/18/docker PATH=/usr/lib/postgresql/17/bin:${path}
COPY entrypoint /usr/local/bin/
VOLUME /var/lib/postgresql
ENTRYPOINT ["/usr/local/bin/entrypoint"]
CMD ["postgres"]
`
  })
  await makeImage(testImage('redis'), async () => {
    await makeServicesImage()
    return `FROM ${servicesImage}
WORKDIR /data
CMD ["redis-server"]
`
  })
  await makeImage(testImage('nginx'), async () => {
    await makeServicesImage()
    return `FROM ${servicesImage}
RUN rm -rf /etc/nginx/sites-enabled/default /var/lib/nginx && ln -s /var/cache/nginx /var/lib/nginx && mkdir /var/cache/nginx
RUN ln -sf /dev/stdout /var/log/nginx/access.log && ln -sf /dev/stderr /var/log/nginx/error.log
CMD ["nginx", "-g", "daemon off;"]
`
  })
}

/** `prepare` writes the files of the image into a folder and returns the content of its Containerfile. */
const makeImage = async (name: string, prepare: (folder: string) => Promise<string>): Promise<void> => {
  if (await imageExists(name)) return
  const folder = await mkdtemp(join(tmpdir(), 'muster-base-image-'))
  try {
    await writeFile(join(folder, 'Containerfile'), await prepare(folder))
    await podman('build', '--quiet', '--layers=false', '--network=host', '--tag', name, folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const makeDebianImage = async (): Promise<void> => {
  if (await imageExists(debianImage)) return
  const folder = await mkdtemp(join(tmpdir(), 'muster-debian-'))
  try {
    const file = join(folder, 'debian.tar')
    // The service images need neither documentation nor just-in-time compilation, whose files are the largest.
    const excludedPaths = [
      '/usr/share/doc/*',
      '/usr/share/man/*',
      '/usr/share/locale/*',
      '/usr/lib/*/libLLVM*',
      '/usr/lib/llvm*/*',
      '/usr/lib/postgresql/*/lib/llvmjit*',
      '/usr/lib/postgresql/*/lib/bitcode/*',
    ]
    await runWithPodman('mmdebstrap', [
      '--variant=minbase',
      '--include=ca-certificates,libatomic1,libstdc++6',
      '--dpkgopt=force-unsafe-io',
      ...excludedPaths.map((excludedPath) => `--dpkgopt=path-exclude=${excludedPath}`),
      'trixie',
      file,
    ])
    await podman('import', '--quiet', '--change', `ENV PATH=${path}`, file, debianImage)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** PostgreSQL runs under the user id of the official image, which compose.yaml names. */
const makeServicesImage = (): Promise<void> =>
  makeImage(servicesImage, async () => {
    await makeDebianImage()
    return `FROM ${debianImage}
RUN groupadd --system --gid 999 postgres && useradd --system --gid 999 --uid 999 --home-dir /var/lib/postgresql postgres
RUN apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql-17 redis-server nginx-light kustomize > /dev/null && rm -rf /var/cache/apt/* /var/lib/apt/lists/* /var/lib/postgresql/17
RUN chown postgres:postgres /var/lib/postgresql
`
  })
