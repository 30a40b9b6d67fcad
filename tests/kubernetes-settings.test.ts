import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ContentConfig } from '@stoa/content/config.js'
import { readGatewayConfig } from '@stoa/gateway/config.js'
import { RankingConfig } from '@stoa/ranking/config.js'
import { ScannerConfig } from '@stoa/scanner/config.js'
import { SearchConfig } from '@stoa/search/config.js'
import { readConfig } from '@stoa/shared/process/config.js'
import { parse } from 'yaml'
import { SERVICES } from '../deploy/local/launch/service-env.mjs'
import { run } from '../deploy/local/processes/run.mjs'
import { ROOT, readDocument } from './support/documents.ts'
import {
  configMaps,
  containersOf,
  environmentOf,
  ingredientsOf,
  ofKind,
  serviceContainer,
} from './support/manifests.ts'
import { settings } from './support/settings.ts'

/** Settings of the C library, which say how it gives memory back and which no service reads. */
const OF_THE_C_LIBRARY = /^MALLOC_/
const allContainers = ofKind('Deployment').flatMap(containersOf)

let dir: string

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'stoa-kubernetes-'))
})

afterAll(() => {
  rmSync(dir, { recursive: true, force: true })
})

describe('the settings of Kubernetes', () => {
  it.each(SERVICES)('give the %s exactly the settings that it reads', (service) => {
    const container = serviceContainer(service)
    const read = settings().filter(({ readBy }) => readBy.includes(service))
    const ingredients = [
      ...ingredientsOf(container),
      ...Object.keys(configMaps.get('stores') ?? {}),
    ]
    const given = Object.keys(environmentOf(container)).filter(
      (name) => !ingredients.includes(name) && !OF_THE_C_LIBRARY.test(name),
    )

    expect(given.toSorted()).toEqual(read.map(({ name }) => name).toSorted())
  })

  it('are accepted by the configuration of each service', () => {
    const env = (service: string) => environmentOf(serviceContainer(service))
    // A forum without addresses for webhooks has no secret for them.
    const { WEBHOOK_SECRET, ...content } = env('content')

    expect(WEBHOOK_SECRET).toBe('secret')
    expect(readGatewayConfig(env('gateway'))).toMatchObject({
      HOST: '0.0.0.0',
      NATS_URL: 'nats://gateway:secret@nats:4222',
      REDIS_URL: 'redis://:secret@redis:6379',
    })
    expect(readConfig(ContentConfig, content).DATABASE_URL).toBe(
      'postgresql://stoa:secret@postgres:5432/stoa',
    )
    for (const [service, config] of [
      ['scanner', ScannerConfig],
      ['search', SearchConfig],
      ['ranking', RankingConfig],
    ] as const) {
      expect(readConfig(config, env(service)).NATS_URL).toBe(`nats://${service}:secret@nats:4222`)
    }
  })

  it('use every address of a store, and give each container the bus login of one service', () => {
    const used = allContainers.flatMap(ingredientsOf)

    expect(
      Object.keys(configMaps.get('stores') ?? {}).filter((name) => !used.includes(name)),
    ).toEqual([])
    for (const { env } of allContainers) {
      const login = env.find(({ name }) => name === 'NATS_URL')?.value
      const key = env.find(({ name }) => name === 'NATS_PASSWORD')?.valueFrom?.secretKeyRef.key
      const user = key?.split('_')[1]?.toLowerCase()
      // With the scheme `tls`, a password goes to no bus without TLS.
      if (login) expect(login).toContain(`$(NATS_SCHEME)://${user}:`)
    }
  })

  it('ask only for passwords that deploy/generate-env.mjs makes', async () => {
    const file = join(dir, 'secrets.env')
    await run({
      command: process.execPath,
      args: [join(ROOT, 'deploy/generate-env.mjs'), '--passwords-only', file],
    })
    const made: string[] = readFileSync(file, 'utf8').match(/^\w+/gm) ?? []
    const asked = allContainers
      .flatMap(({ env }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []))
      .filter(({ optional }) => !optional)

    expect(asked.length).toBeGreaterThan(10)
    expect(asked.filter(({ key, name }) => name !== 'secrets' || !made.includes(key))).toEqual([])
    expect(made.filter((name) => !/_PASSWORD$|_KEY$/.test(name))).toEqual([])
  })

  it('of an installation are settings and images that the base has', () => {
    const { images, configMapGenerator } = parse(
      readDocument('deploy/kubernetes/installation/kustomization.yaml'),
    ) as { images: { name: string }[]; configMapGenerator: { name: string; literals: string[] }[] }
    const unknown = configMapGenerator.flatMap(({ name, literals }) =>
      literals
        .map((literal) => literal.split('=')[0] as string)
        .filter((setting) => !(setting in (configMaps.get(name) ?? {}))),
    )

    expect(unknown).toEqual([])
    expect(images.map(({ name }) => `${name}:local`).toSorted()).toEqual(
      [...new Set(allContainers.map(({ image }) => image))].toSorted(),
    )
  })
})
