/** The web console: the pages of its screens, and the assets of its build. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { sameOriginOnly, sendEncoded } from '../response/static-body.ts'
import { openConsole } from './console-files.ts'
import { addRoute } from './route.ts'

export const consolePath = '/console'

const pageHeaders = {
  ...sameOriginOnly,
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
}

export const addConsoleRoutes = (app: FastifyInstance, folder: URL): void => {
  const loadConsole = openConsole(folder)
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { path, query } = screenOf(request.raw.url ?? '')
    if (path === undefined)
      return reply
        .code(302)
        .headers({ location: `console/${query}`, ...revalidated })
        .send()
    const built = await loadConsole()
    if (built === undefined) return sendNotBuilt(request, reply)
    const page = built.pageAt(path)
    if (page === undefined) throw new Problem('not_found')
    return page.send(
      request,
      reply.headers({ ...pageHeaders, ...revalidated, 'content-security-policy': built.policy }),
    )
  }
  const sendAsset = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { '*': name = '' } = request.params as Readonly<Record<string, string>>
    const asset = (await loadConsole())?.assets.get(name)
    if (asset === undefined) throw new Problem('not_found')
    const { contentType, cacheControl, body } = asset
    const headers = { ...sameOriginOnly, 'content-type': contentType, 'cache-control': cacheControl }
    return body.send(request, reply.headers(headers))
  }
  addRoute(app, consolePath, { GET: { handle: sendPage } })
  addRoute(app, `${consolePath}/*`, { GET: { handle: sendPage } })
  addRoute(app, `${consolePath}/assets/*`, { GET: { handle: sendAsset } })
}

const revalidated = { 'cache-control': 'no-cache' }

interface Screen {
  /** Below /console/, as the browser sees it; undefined for /console without a slash. */
  readonly path: string | undefined
  /** With its question mark; empty if there is none. */
  readonly query: string
}

/** Reads the URL as sent: a browser resolves relative URLs before it decodes %2F, but the router decodes it first. */
const screenOf = (url: string): Screen => {
  const [, path, query = ''] = /^(?:\w+:\/\/[^/]*)?\/[^/?#]*(?:\/([^?#]*))?(\?[^#]*)?/.exec(url) ?? []
  return { path, query }
}

/**
 * 503, not 200: the console is part of this service and missing. Monitoring should report that, and no cache may store
 * the page. There is no Retry-After, because waiting does not help.
 */
const sendNotBuilt = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
  sendEncoded(request, reply.code(503).headers({ ...pageHeaders, 'cache-control': 'no-store' }), notBuiltPage)

const notBuiltPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Muster</title>
</head>
<body>
<h1>The console has not been built</h1>
<p>Run this command in the folder of Muster, then load this page again:</p>
<pre>npm run build</pre>
<p>The API works without the console.</p>
</body>
</html>
`
