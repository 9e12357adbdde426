#!/usr/bin/env node
/**
 * Entry point of the command line, with Node's compile cache. Plain JavaScript: a TypeScript file here would load the
 * type stripper before the cache is enabled. CommonJS: the Node version is checked before loading anything that an old
 * Node lacks.
 */
require('./check-node.js')

// The cache lies in the node_modules folder of the dependencies, not in a world-writable folder, because Node executes
// what it finds there.
require('node:module').enableCompileCache(
  require('node:path').join(require.resolve('fastify/package.json'), '../../.cache/muster'),
)
void import('./main.mts')
