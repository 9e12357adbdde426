/**
 * Prints one sentence and exits if Node is too old. CommonJS without imports and in old syntax, so that an old Node can
 * run it; `node service/bin/check-node.js` is the first step of the npm scripts that run TypeScript.
 */
// The minimum version in "engines" of package.json.
var needed = [26, 10]
var found = process.versions.node.split('.').map(Number)

if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
  console.error(
    'Muster needs Node ' +
      needed.join('.') +
      ' or newer, and this is Node ' +
      process.versions.node +
      ': put scripts/with-node in front of the same command, which downloads the right Node once, or install it yourself.',
  )
  process.exit(1)
}
