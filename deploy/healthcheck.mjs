/**
 * A container's health, by its exit code: the gateway is asked over HTTP, any other service
 * over the bus with its own login.
 */
const ANSWER_WITHIN_MS = 5_000
const service = process.env.SERVICE ?? ''

if (service === 'gateway') {
  const url = `http://127.0.0.1:${process.env.PORT ?? 8080}/api/v1/health`
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
  await response.arrayBuffer()
  process.exitCode = response.ok ? 0 : 1
} else {
  const cli = new URL('../packages/shared/dist/cli/health.js', import.meta.url)
  process.argv.splice(1, process.argv.length, cli.pathname, service)
  await import(cli.href)
}
