import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { createServer } from 'vite'
import type { FirstPaint } from '../src/frame/first-paint.tsx'

/**
 * Writes `pages.json`: the page of each screen by its path. Such a page names the files of its screen, so that the browser
 * loads them together with the main script and not after it, and contains the frame, which is shown until the script runs.
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
            screenPage(String(page.source), filesOf(bundle, file), html),
          ]),
        )
        // The router leads from the first path to the second.
        await writeFile(join(folder, 'pages.json'), JSON.stringify({ '/': pages['/today'], ...pages }))
      },
    },
  }
}

/** Runs the components of the frame in this process. */
const renderFirstPaints = async (): Promise<FirstPaint[]> => {
  const server = await createServer({
    configFile: false,
    mode: 'production',
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const { firstPaints } = await server.ssrLoadModule('/src/frame/first-paint.tsx')
    return await firstPaints()
  } finally {
    await server.close()
  }
}

/** The scripts and style sheets that a screen imports, and those that they import. */
const filesOf = (bundle: Rolldown.OutputBundle, file: string): Set<string> => {
  const files = new Set<string>()
  const add = (chunk: Rolldown.OutputChunk): void => {
    if (files.has(chunk.fileName)) return
    files.add(chunk.fileName)
    for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css)
    for (const name of chunk.imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') add(imported)
    }
  }
  const screen = Object.values(bundle).find(
    (output) => output.type === 'chunk' && output.facadeModuleId?.endsWith(file.slice(1)),
  )
  if (screen?.type !== 'chunk') throw new Error(`The build has no chunk of ${file}`)
  add(screen)
  return files
}

const screenPage = (page: string, files: ReadonlySet<string>, html: string): string => {
  const links = [...files]
    .filter((file) => !page.includes(file))
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" crossorigin href="./${file}">`
        : `<link rel="modulepreload" crossorigin href="./${file}">`,
    )
  return page
    .replace('</head>', () => `${links.join('\n')}\n</head>`)
    .replace('<div id="console"></div>', () => `<div id="console">${relativeLinks(html)}</div>`)
}

/** Like the other URLs of the page, links must work below any path of a reverse proxy. */
const relativeLinks = (html: string): string => html.replaceAll('href="/', 'href="./')
