import { readFile } from 'node:fs/promises'

export type Replacements = readonly (readonly [original: string, replacement: string])[]

/** Reads a file of the folder deploy and replaces, wherever they occur, its ports, paths and so on with those of the test. */
export const deployFile = async (name: string, replacements: Replacements): Promise<string> => {
  let text = await readFile(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')
  for (const [original, replacement] of replacements) {
    if (!text.includes(original)) throw new Error(`deploy/${name} does not contain "${original}"`)
    text = text.replaceAll(original, () => replacement)
  }
  return text
}
