/** Run by HEALTHCHECK in the Dockerfile. */
const { PORT = '8080' } = process.env

// Checks liveness, not readiness: restarting the container would not help while the database is down.
const isAlive = await fetch(`http://127.0.0.1:${PORT}/livez`, { signal: AbortSignal.timeout(2_000) }).then(
  ({ ok }) => ok,
  () => false,
)
process.exitCode = isAlive ? 0 : 1
