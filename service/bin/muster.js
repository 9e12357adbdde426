#!/usr/bin/env node
/**
 * In charge of the program's start: what was compiled before is taken from where it was kept. In plain JavaScript, since a
 * file of TypeScript here would load the machinery that strips types before any start.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Beside the packages and not in a folder that everybody may write to: what lies there is run.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/muster', import.meta.url)))
await import('./muster.ts')
