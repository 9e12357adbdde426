/** The page at /careers/, below which each career site has an address of its own. */
import { themeOf } from '../colors.ts'
import { chooseLocale, frameLocaleOf } from '../locales/locales.ts'
import { frameLanguages, textsIn } from '../locales/texts/texts.ts'
import type { Page } from './frame.ts'
import { band, pageHeaders, policyOf } from './frame.ts'
import { html } from './html.ts'
import { styleOf } from './style.ts'

/** It does not list the sites: which companies share a service is nothing that visitors of one of them should see. */
export const renderNoSite = (acceptLanguage: string | undefined): Page => {
  const { language } = frameLocaleOf(chooseLocale(acceptLanguage, frameLanguages) ?? 'en')
  const texts = textsIn(language)
  const style = styleOf(themeOf(undefined, undefined))
  const head = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${texts.notFoundTitle}</title>
<style>`.text
  const body = html`</head>
<body>
<main>
${band(html`<h1>${texts.notFoundTitle}</h1><p class="lead">${texts.notFoundText}</p>`)}
</main>
</body>
</html>
`.text
  return {
    text: `${head}${style.css}</style>\n${body}`,
    headers: {
      ...pageHeaders,
      'content-security-policy': policyOf(style.source, undefined),
      'x-robots-tag': 'noindex',
      vary: 'accept-encoding, accept-language',
    },
  }
}
