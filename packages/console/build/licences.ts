import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

/** The font is not a module, so it is not found among the modules of the build. */
const fontPackage = '@fontsource-variable/inter'

/** Writes the licences of all packages whose code or fonts are in the build, as these licences require. */
export const writeLicences = (): Plugin => {
  const folders = new Map<string, string>()
  return {
    name: 'licences',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue
        for (const id of file.moduleIds) addPackage(folders, id)
      }
      const anyPackage = [...folders.values()][0]
      const modules = anyPackage?.slice(0, anyPackage.lastIndexOf('/node_modules/') + '/node_modules'.length) ?? ''
      folders.set(fontPackage, join(modules, fontPackage))
      const texts = [...folders].toSorted().map(([name, folder]) => licenceText(name, folder))
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: texts.join('\n\n') })
    },
  }
}

const addPackage = (folders: Map<string, string>, moduleId: string): void => {
  const [, before, name] = /^\0?(.*\/node_modules\/)((?:@[^/]+\/)?[^/]+)\//.exec(moduleId) ?? []
  if (before !== undefined && name !== undefined) folders.set(name, before + name)
}

const licenceText = (name: string, folder: string): string => {
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const parentFile = join(dirname(folder), 'LICENSE')
  const text =
    file === undefined
      ? existsSync(parentFile)
        ? readFileSync(parentFile, 'utf8')
        : ''
      : readFileSync(join(folder, file), 'utf8')
  return `${name} ${version}, ${license}\n\n${text.trim()}`
}
