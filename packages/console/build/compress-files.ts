import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Plugin } from 'vite'

/** Writes a Brotli file beside each text file of the build, so that the server does not have to compress anything. */
export const compressFiles = (folder: string): Plugin => ({
  name: 'compress-files',
  apply: 'build',
  enforce: 'post',
  closeBundle: {
    sequential: true,
    handler: async () => {
      const names = await readdir(folder, { recursive: true })
      for (const name of names.filter((file) => /\.(js|css|svg|json)$/.test(file))) {
        const content = await readFile(join(folder, name))
        const compressed = brotliCompressSync(content, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
        })
        await writeFile(join(folder, `${name}.br`), compressed)
      }
    },
  },
})
