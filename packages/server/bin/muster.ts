/** Entry point of the command line, without Node's compile cache. */
// This file is CommonJS (see package.json in this folder) and contains no types, so that a Node without TypeScript
// support can run it as JavaScript, and check-node.js can report that this Node is too old.
require('./check-node.js')

void import('./main.mts')
