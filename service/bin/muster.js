#!/usr/bin/env node
/**
 * The command line, with the compile cache. Plain JavaScript: a TypeScript file here would load the type stripper before
 * the cache is enabled. CommonJS: the Node version is checked before loading anything that an old Node lacks.
 */
require('./check-node.js')

// Beside the packages and not in a folder that everybody may write to: what lies there is run.
require('node:module').enableCompileCache(require('node:path').join(__dirname, '../../node_modules/.cache/muster'))
void import('./main.mts')
