/** In charge of the documentation page: its HTML, and the policy under which a browser will ask nobody but us for anything. */
import { product } from '@muster/model'

export interface DocsPageParts {
  readonly descriptionPath: string
  readonly scriptPath: string
  readonly css: string
  readonly icon: string
  /** Script that is to run before the reference's own. */
  readonly preparation: string
}

/** Nonces cannot cover style attributes, and the reference writes some; nothing they may say can leave the page. */
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

/** Everything but the nonce is put together once. */
export const docsPage = (parts: DocsPageParts): ((nonce: string) => string) => {
  const { descriptionPath, scriptPath, css, icon, preparation } = parts
  const title = `${product} API`
  const settings = scriptSafe(JSON.stringify(referenceSettings(descriptionPath)))
  const iconUrl = `data:image/svg+xml,${encodeURIComponent(icon)}`
  return (nonce) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Reference of the ${title}, with every request ready to be tried.">
<meta property="csp-nonce" content="${nonce}">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${iconUrl}">
<style nonce="${nonce}">${css}</style>
</head>
<body>
<div id="reference"></div>
<main class="waiting">
<h1>${title}</h1>
<noscript><p>This reference needs JavaScript, which is turned off here.</p></noscript>
<p>The whole interface is also described in <a href="${descriptionPath}">${descriptionPath}</a>, in OpenAPI 3.1.</p>
</main>
<script nonce="${nonce}">${preparation}</script>
<script nonce="${nonce}" src="${scriptPath}"></script>
<script nonce="${nonce}">Scalar.createApiReference('#reference', ${settings})</script>
</body>
</html>
`
}

/** Turns off all that would send the reader, or what the reader types, to anybody else. */
const referenceSettings = (descriptionPath: string) => ({
  url: descriptionPath,
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

const scriptSafe = (json: string): string => json.replaceAll('<', '\\u003c')
