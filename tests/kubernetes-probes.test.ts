import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { SERVICES } from '../deploy/local/launch/service-env.mjs'
import { freePort } from '../deploy/local/processes/free-port.mjs'
import { readDocument } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { serviceContainer } from './support/manifests.ts'

const NONE = { content: 0, scanner: 0, search: 0, ranking: 0, gateway: 0 }

let dir: string

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'stoa-kubernetes-'))
})

afterAll(() => {
  rmSync(dir, { recursive: true, force: true })
})

describe('the probes of Kubernetes', () => {
  const passes = (command: string[], file: string) => {
    const [program = '', ...args] = command
    return spawnSync(program, args, { env: { ...process.env, HEARTBEAT_FILE: file } }).status === 0
  }
  const liveness = (service: string) => serviceContainer(service).livenessProbe?.exec.command ?? []
  const readiness = (service: string) => serviceContainer(service).readinessProbe?.exec?.command

  it('let a service without a heartbeat live, and end a service whose heartbeat is a minute old', () => {
    const file = join(dir, 'heartbeat')
    const long = Date.now() / 1_000 - 60

    for (const service of SERVICES) {
      rmSync(file, { force: true })
      expect(passes(liveness(service), file)).toBe(true)
      writeFileSync(file, '')
      expect(passes(liveness(service), file)).toBe(true)
      utimesSync(file, long, long)
      expect(passes(liveness(service), file)).toBe(false)
    }
  })

  it('use the health check of the image as the readiness of every service but the gateway', () => {
    const [, check = ''] =
      /HEALTHCHECK .*\\\n +CMD (.*)\n/.exec(readDocument('deploy/Dockerfile')) ?? []

    for (const service of SERVICES.filter((name) => name !== 'gateway')) {
      expect(readiness(service)?.at(-1)).toBe(check.replaceAll("'", '"'))
      expect(passes(readiness(service) ?? [], join(dir, 'none'))).toBe(false)
    }
  })

  describe('of running services', () => {
    let forum: Forum
    const metrics = new Map<string, number>()
    const beats = (service: string) => join(dir, `heartbeat-${service}`)

    beforeAll(async () => {
      forum = await startForum(NONE)
      for (const service of SERVICES) {
        const port = await freePort()
        metrics.set(service, port)
        const env = { METRICS_LISTEN: `127.0.0.1:${port}`, HEARTBEAT_FILE: beats(service) }
        if (service === 'gateway') forum.urls.push(await forum.startGateway(env))
        else await forum.start(service, env)
      }
    })

    afterAll(() => forum?.stop())

    it('pass', async () => {
      for (const service of SERVICES) {
        expect(passes(liveness(service), beats(service))).toBe(true)
        expect(passes(readiness(service) ?? ['true'], beats(service))).toBe(true)
        expect((await fetch(`http://127.0.0.1:${metrics.get(service)}/metrics`)).status).toBe(200)
      }
      const ready = serviceContainer('gateway').readinessProbe?.httpGet
      expect(ready?.port).toBe('http')
      expect((await fetch(`${forum.url}${ready?.path}`)).status).toBe(200)
    })

    it('report the gateway as alive but not ready while content is away', async () => {
      const ready = serviceContainer('gateway').readinessProbe?.httpGet
      await forum.kill('content')

      const isUnready = async () => (await fetch(`${forum.url}${ready?.path}`)).status === 503
      expect(await eventually('the gateway is not ready', isUnready)).toBe(true)
      expect(passes(liveness('gateway'), beats('gateway'))).toBe(true)
    })
  })
})
