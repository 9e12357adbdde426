/** The command line without the compile cache. */
// CommonJS (see package.json in this folder) and without types, so that a Node that cannot read TypeScript runs this file
// as JavaScript and prints the sentence about its version.
require('./check-node.js')

void import('./main.mts')
