/**
 * Prints one sentence and exits if Node is too old. CommonJS without imports and in old syntax, so that an old Node can
 * run it. The npm scripts of a clone need no check: tools/scripts/with-node gives them the right version.
 */
// The minimum versions in "engines" of the packages.
var minimums = [
  [24, 11],
  [26, 10],
]
var current = process.versions.node.split('.').map(Number)
var newest = minimums[minimums.length - 1]

var isTested = minimums.some((minimum) => current[0] === minimum[0] && current[1] >= minimum[1])
if (!isTested && current[0] <= newest[0]) {
  console.error(
    'Muster runs on ' +
      minimums.map((minimum) => `Node ${minimum[0]} from ${minimum.join('.')} on`).join(' and ') +
      ', but this is Node ' +
      process.versions.node +
      ': install one of these versions. In a clone, "npm run muster -- COMMAND" downloads one.',
  )
  process.exit(1)
}
