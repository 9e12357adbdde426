/** Reads the built web console into memory. */
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { StaticBody } from '../response/static-body.ts'
import { brotliBody, plainBody, uncompressedBody } from '../response/static-body.ts'

export interface Asset {
  readonly contentType: string
  readonly cacheControl: string
  readonly body: StaticBody
}

export interface BuiltConsole {
  /** Content-Security-Policy of the page. */
  readonly policy: string
  /** By name below assets/. A request can get only what is in this map, so no path leads to another file. */
  readonly assets: ReadonlyMap<string, Asset>
  /** The page for a path below /console/, such as `people/7`; undefined if it has more than `maxDepth` folders. */
  pageAt(path: string): StaticBody | undefined
}

/** The screens have at most three levels. The limit bounds the memory for other pages, of which each depth has one. */
const maxDepth = 16

/**
 * Returns a function that loads the console on its first call. While there is no build, every call looks again, so a
 * build becomes visible without a restart. Once loaded, the files stay as they are: a later build has other names of
 * assets, and a page must find the assets it was built with.
 */
export const openConsole = (folder: URL): (() => Promise<BuiltConsole | undefined>) => {
  let loading: Promise<BuiltConsole | undefined> | undefined
  const load = async (): Promise<BuiltConsole | undefined> => {
    let console: BuiltConsole | undefined
    try {
      console = await loadConsole(folder)
      return console
    } finally {
      if (console === undefined) loading = undefined
    }
  }
  return () => {
    loading ??= load()
    return loading
  }
}

/** Undefined if a file is missing, as it is before the build and while the build replaces its output. */
const loadConsole = async (folder: URL): Promise<BuiltConsole | undefined> => {
  try {
    // The build writes csp.json last, so if this file exists, the others are complete.
    const { styleHashes } = JSON.parse(await readFile(new URL('csp.json', folder), 'utf8')) as CspFile
    const html = await readFile(new URL('index.html', folder), 'utf8')
    const screens = JSON.parse(await readFile(new URL('pages.json', folder), 'utf8')) as Readonly<
      Record<string, string>
    >
    const assets = await loadAssets(new URL('assets/', folder))
    return { policy: consolePolicy(styleHashes), assets, pageAt: openPages(screens, html) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

interface CspFile {
  /** Hashes of the style elements that React Aria inserts, such as `sha256-…`. */
  readonly styleHashes: readonly string[]
}

/** The browser may load and contact this origin only, and may run only scripts that are files of the console. */
const consolePolicy = (styleHashes: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styleHashes.map((hash) => `'${hash}'`)].join(' '),
    "font-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * Each screen has a page of its own, which differs in what it shows and loads before the console has started. `screens`
 * has them by the path of the router, such as `/people/$id`. Any other path gets the page without a frame, and the
 * router decides what it shows.
 */
const openPages = (screens: Readonly<Record<string, string>>, html: string): BuiltConsole['pageAt'] => {
  const screenPages = Object.entries(screens)
    // As in the router, a fixed segment has precedence over a parameter.
    .toSorted(([path], [other]) => Number(path.includes('$')) - Number(other.includes('$')))
    .map(([path, page]) => ({ segments: segmentsOf(path.slice(1)), body: pageBody(page, folders(path.slice(1))) }))
  const otherPages = new Map<number, StaticBody>()
  return (path) => {
    const screen = screenPages.find(({ segments }) => isMatch(segments, segmentsOf(path)))
    if (screen !== undefined) return screen.body
    const depth = folders(path)
    if (depth > maxDepth) return undefined
    const page = otherPages.get(depth) ?? pageBody(html, depth)
    otherPages.set(depth, page)
    return page
  }
}

const segmentsOf = (path: string): readonly string[] => path.split('/')

const isMatch = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((segment, index) => (segment.startsWith('$') ? segments[index] !== '' : segment === segments[index]))

const folders = (path: string): number => segmentsOf(path).length - 1

/**
 * The page links to its assets, to the API and to screens by relative URLs, so that the console works below any path of
 * a reverse proxy. A browser resolves them against the URL of the screen, so each depth needs other URLs. A base
 * element would do the same, but the policy forbids it.
 */
const pageBody = (html: string, depth: number): StaticBody =>
  plainBody(Buffer.from(depth === 0 ? html : html.replaceAll(relativeUrl, '../'.repeat(depth))))

const relativeUrl = /(?<= (?:href|src)=")(?:\.\/|(?=\.\.\/))/g

const textTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
}
/** Types that are compressed already. */
const binaryTypes: Readonly<Record<string, string>> = { '.woff2': 'font/woff2', '.png': 'image/png' }

/** A name with a hash of the content always means the same bytes. */
const hashedName = /-[\w-]{8}\.\w+$/
const immutable = 'public, max-age=31536000, immutable'

const loadAssets = async (folder: URL): Promise<Map<string, Asset>> => {
  const names = await readdir(folder)
  const readAsset = (name: string): Promise<Buffer> => readFile(new URL(encodeURIComponent(name), folder))
  const loadBody = async (name: string): Promise<StaticBody> => {
    if (names.includes(`${name}.br`)) return brotliBody(await readAsset(`${name}.br`))
    const bytes = await readAsset(name)
    return extname(name) in textTypes ? plainBody(bytes) : uncompressedBody(bytes)
  }
  const loadAsset = async (name: string): Promise<[string, Asset]> => [
    name,
    {
      contentType: textTypes[extname(name)] ?? binaryTypes[extname(name)] ?? 'application/octet-stream',
      cacheControl: hashedName.test(name) ? immutable : 'no-cache',
      body: await loadBody(name),
    },
  ]
  return new Map(await Promise.all(names.filter((name) => !name.endsWith('.br')).map(loadAsset)))
}
