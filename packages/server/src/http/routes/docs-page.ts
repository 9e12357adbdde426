import { product } from '@muster/model'

export interface DocsPageParts {
  readonly openapiPath: string
  readonly scriptPath: string
  readonly css: string
  readonly icon: string
  /** JavaScript that runs before Scalar's own script. */
  readonly setupScript: string
}

/**
 * Content-Security-Policy of the page: the browser may connect to this origin only. Style attributes, which Scalar
 * sets, cannot have a nonce. Style attributes are safe to allow: no directive lets a style load anything from another
 * origin.
 */
export const docsPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Prepares everything except the nonce once, so that a request only inserts its nonce. */
export const buildDocsPage = (parts: DocsPageParts): ((nonce: string) => string) => {
  const { openapiPath, scriptPath, css, icon, setupScript } = parts
  const title = `${product} API`
  const settings = escapeForScript(JSON.stringify(referenceSettings(openapiPath)))
  const iconUrl = `data:image/svg+xml,${encodeURIComponent(icon)}`
  return (nonce) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Reference of the ${title}. Every request can be sent from this page.">
<meta property="csp-nonce" content="${nonce}">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${iconUrl}">
<style nonce="${nonce}">${css}</style>
</head>
<body>
<div id="reference"></div>
<main class="waiting">
<h1>${title}</h1>
<noscript><p>This reference needs JavaScript, which is disabled in this browser.</p></noscript>
<p>The complete API is also available as an OpenAPI 3.1 document: <a href="${openapiPath}">${openapiPath}</a>.</p>
</main>
<script nonce="${nonce}">${setupScript}</script>
<script nonce="${nonce}" src="${scriptPath}"></script>
<script nonce="${nonce}">Scalar.createApiReference('#reference', ${settings})</script>
</body>
</html>
`
}

/** Turns off every feature that would send readers, or what they type, to another server. */
const referenceSettings = (openapiPath: string) => ({
  url: openapiPath,
  telemetry: false,
  withDefaultFonts: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  theme: 'none',
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
})

const escapeForScript = (json: string): string => json.replaceAll('<', '\\u003c')
