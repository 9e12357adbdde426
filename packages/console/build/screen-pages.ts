import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'
import { createServer } from 'vite'
import type { FirstPaint } from '../src/frame/first-paint.tsx'

/**
 * Writes `pages.json`: the page of each screen by its path. Such a page names the files of its screen, so that the
 * browser loads all of them at once, and contains the frame, which is shown until the console has started.
 */
export const writeScreenPages = (folder: string): Plugin => {
  let bundle: Rolldown.OutputBundle = {}
  return {
    name: 'screen-pages',
    apply: 'build',
    enforce: 'post',
    writeBundle(_, written) {
      bundle = written
    },
    closeBundle: {
      sequential: true,
      handler: async () => {
        const page = bundle['index.html']
        if (page?.type !== 'asset') throw new Error('The build has no index.html')
        const pages = Object.fromEntries(
          (await renderFirstPaints()).map(({ path, file, html }) => [
            path,
            screenPage(String(page.source), filesOf(bundle, './main.tsx', file), html),
          ]),
        )
        // `/` redirects to `/today`, so both have the same page.
        await writeFile(join(folder, 'pages.json'), JSON.stringify({ '/': pages['/today'], ...pages }))
      },
    },
  }
}

/** Runs the components of the frame in this process. */
const renderFirstPaints = async (): Promise<FirstPaint[]> => {
  const server = await createServer({
    configFile: false,
    root: fileURLToPath(new URL('..', import.meta.url)),
    mode: 'production',
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const { firstPaints } = await server.ssrLoadModule('/src/frame/first-paint.tsx')
    return await firstPaints()
  } finally {
    await server.close()
  }
}

/** The scripts and style sheets of source files, and of what they import. */
const filesOf = (bundle: Rolldown.OutputBundle, ...sources: readonly string[]): Set<string> => {
  const files = new Set<string>()
  const visited = new Set<Rolldown.OutputChunk>()
  const add = (chunk: Rolldown.OutputChunk): void => {
    if (visited.has(chunk)) return
    visited.add(chunk)
    files.add(chunk.fileName)
    for (const name of chunk.imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') add(imported)
    }
    // After those of its imports, so that it overrides them. Vite uses the same order.
    for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css)
  }
  for (const source of sources) {
    const chunk = Object.values(bundle).find(
      (output) => output.type === 'chunk' && output.facadeModuleId?.endsWith(`/src${source.slice(1)}`),
    )
    if (chunk?.type !== 'chunk') throw new Error(`The build has no chunk of ${source}`)
    add(chunk)
  }
  return files
}

const emptyConsole = '<div id="console"></div>'

const screenPage = (page: string, files: ReadonlySet<string>, html: string): string => {
  const links = [...files]
    .filter((file) => !page.includes(file))
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" crossorigin href="./${file}">`
        : `<link rel="modulepreload" crossorigin href="./${file}">`,
    )
  if (!page.includes('</head>') || !page.includes(emptyConsole)) throw new Error('index.html has another form')
  return page
    .replace('</head>', () => `${links.join('\n')}\n</head>`)
    .replace(emptyConsole, () => `<div id="console">${relativeLinks(html)}</div>`)
}

/** Like the other URLs of the page, links must work below any path of a reverse proxy. */
const relativeLinks = (html: string): string => html.replaceAll('href="/', 'href="./')
