/** The command line without the compile cache. */
// CommonJS, by the package.json beside it, and without types: a Node that cannot read TypeScript then reads this file as
// JavaScript and gets as far as the sentence about its version.
require('./check-node.js')

void import('./main.mts')
