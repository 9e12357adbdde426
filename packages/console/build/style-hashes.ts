import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

/** The modules of React Aria that add a style element to the page: for presses, and for modal overlays in iOS. */
const modules = ['interactions/usePress.mjs', 'overlays/usePreventScroll.mjs']

/**
 * Writes the hashes of the style elements that React Aria adds to `csp.json`, from which the server builds the content
 * security policy.
 */
export const writeStyleHashes = (folder: string): Plugin => ({
  name: 'style-hashes',
  apply: 'build',
  enforce: 'post',
  closeBundle: {
    sequential: true,
    handler: async () => {
      const packageFolder = dirname(createRequire(import.meta.url).resolve('react-aria/package.json'))
      const texts = await Promise.all(
        modules.map(async (module) => styleText(await readFile(join(packageFolder, 'dist/private', module), 'utf8'))),
      )
      const styleHashes = texts.map((text) => `sha256-${createHash('sha256').update(text).digest('base64')}`)
      await writeFile(join(folder, 'csp.json'), JSON.stringify({ styleHashes }))
    },
  },
})

/** Returns the text that a module assigns to its style element, with the constants of the module inserted. */
const styleText = (source: string): string => {
  const template = /style\.textContent = `([^`]*)`\.trim\(\)/.exec(source)?.[1]
  if (template === undefined) throw new Error('A module of React Aria no longer adds a style element')
  const constantOf = (name: string): string => {
    const value = source.split(`const ${name} = '`)[1]?.split("'")[0]
    if (value === undefined) throw new Error(`${name} is not a constant of the module`)
    return value
  }
  return template.replace(/\$\{([^}]+)\}/g, (_, name: string) => constantOf(name)).trim()
}
