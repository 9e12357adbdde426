/** In charge of telling a container engine whether the service in this container lives; for its HEALTHCHECK. */
const { PORT = '8080' } = process.env

// Not whether it is ready: while the database is away a restart would help nobody.
const lives = await fetch(`http://127.0.0.1:${PORT}/livez`, { signal: AbortSignal.timeout(2_000) }).then(
  ({ ok }) => ok,
  () => false,
)
process.exitCode = lives ? 0 : 1
