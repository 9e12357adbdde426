import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles } from './build/compress-files.ts'
import { englishOnly } from './build/english-only.ts'
import { writeLicences } from './build/licences.ts'
import { pageHead } from './build/page-head.ts'
import { writeScreenPages } from './build/screen-pages.ts'
import { writeStyleHashes } from './build/style-hashes.ts'

/** The server package delivers the built files, so they are written into it. */
const outDir = fileURLToPath(new URL('../server/console', import.meta.url))

export default defineConfig({
  // Relative URLs, so that the console works under any path prefix of a reverse proxy.
  base: './',
  // The server takes the file that `writeStyleHashes` writes as the sign of a complete build, so that plugin is the last.
  plugins: [
    react(),
    englishOnly(),
    pageHead(),
    writeLicences(),
    compressFiles(outDir),
    writeScreenPages(outDir),
    writeStyleHashes(outDir),
  ],
  build: {
    outDir,
    emptyOutDir: true,
    // Data URLs of fonts are not allowed by the content security policy.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script, which the content security policy does not allow.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Without groups, each module that two screens share would become a file of its own, and Brotli compresses many
        // small files worse. With these, the scripts have 393 kB in 77 files, and those of Today 200 kB. With 2 in `shared`,
        // Today loads 4 kB more that it does not need.
        codeSplitting: {
          groups: [
            { name: 'icons', test: /lucide-react/ },
            {
              name: 'shared',
              test: /console\/src\/(?!screens\/|kit\/|explorer\/)|kit\/(Button|ChartFigure|CodeBlock|Dialog|EmptyState|Icon|IconButton|Legend|Popover|Section|Table|ToggleGroup|classes|marks|use-width)\.|packages\/client|tanstack\/react-router/,
              minShareCount: 3,
            },
            { name: 'scales', test: /@visx\/scale|\/d3-/, minShareCount: 3 },
            { name: 'widgets', test: /react-aria|react-stately|@internationalized/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': process.env.MUSTER_URL ?? 'http://127.0.0.1:8080' } },
})
