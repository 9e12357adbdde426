import { readFile } from 'node:fs/promises'
import type { HtmlTagDescriptor, Plugin } from 'vite'

const startScript = new URL('./page-start.js', import.meta.url)
const font = /inter-latin-wght-normal-[\w-]+\.woff2$/

/**
 * Adds to the page what must not wait for the main script: the font, which the style sheet would request later, and a
 * script that sets the reader's theme and says if the main script fails to load. The policy allows no inline script.
 */
export const pageHead = (): Plugin => ({
  name: 'page-head',
  apply: 'build',
  async buildStart() {
    const source = await readFile(startScript, 'utf8')
    this.emitFile({ type: 'asset', name: 'page-start.js', source })
  },
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) => {
      const fontFile = Object.keys(bundle).find((name) => font.test(name))
      const script = Object.values(bundle).find(({ name }) => name === 'page-start.js')?.fileName
      if (fontFile === undefined || script === undefined)
        throw new Error(`The build has no ${fontFile ? 'script' : 'font'}`)
      const tags: HtmlTagDescriptor[] = [
        { tag: 'script', attrs: { src: `./${script}` }, injectTo: 'head-prepend' },
        {
          tag: 'link',
          attrs: { rel: 'preload', href: `./${fontFile}`, as: 'font', type: 'font/woff2', crossorigin: true },
          injectTo: 'head',
        },
      ]
      return tags
    },
  },
})
