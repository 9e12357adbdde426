/**
 * Runs one test suite: npm test -- [SUITE] [arguments], see suites.ts. `npm test -- --list` lists the suites.
 * This file is CommonJS, so that an old Node can still run the version check.
 */
require('../../packages/server/bin/check-node.js')

void import('./run.ts')
