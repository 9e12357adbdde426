/**
 * Prints one sentence and exits if Node is too old. CommonJS without imports and in old syntax, so that an old Node can
 * run it; `node packages/server/bin/check-node.js` is the first step of the npm scripts that run TypeScript.
 */
// The minimum version in "engines" of package.json.
var minimum = [26, 10]
var current = process.versions.node.split('.').map(Number)

if (current[0] < minimum[0] || (current[0] === minimum[0] && current[1] < minimum[1])) {
  console.error(
    'Muster needs Node ' +
      minimum.join('.') +
      ' or newer, but this is Node ' +
      process.versions.node +
      ': put tools/scripts/with-node in front of the command, which downloads the right version once, or install it yourself.',
  )
  process.exit(1)
}
