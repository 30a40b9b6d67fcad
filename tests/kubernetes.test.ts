import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { SERVICES } from '../deploy/local/launch/service-env.mjs'
import { ROOT, readDocument } from './support/documents.ts'
import {
  BASE,
  baseFiles,
  type Container,
  configMaps,
  containersOf,
  environmentOf,
  type Manifest,
  manifests,
  ofKind,
  serviceContainer,
} from './support/manifests.ts'

const deployments = ofKind('Deployment')
const allContainers = deployments.flatMap(containersOf)
const nameOf = ({ metadata }: Manifest) => metadata.name
const portOf = (container: Container, name: string) =>
  container.ports?.find((port) => port.name === name)?.containerPort

describe('the pods of Kubernetes', () => {
  it('have as few rights as the containers of docker-compose', () => {
    const compose = parse(readDocument('deploy/docker-compose.yml'), { merge: true })
    expect(compose['x-service']).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: ['/tmp'],
    })

    for (const { securityContext } of allContainers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
    for (const { spec } of deployments) {
      expect(spec.template.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        volumes: [{ name: 'tmp', emptyDir: { medium: 'Memory' } }],
      })
    }
    expect(
      ofKind('ServiceAccount').every((one) => one.automountServiceAccountToken === false),
    ).toBe(true)
  })

  it('have the time to stop of docker-compose, and more memory than the alarm waits for', () => {
    const compose = parse(readDocument('deploy/docker-compose.yml'), { merge: true })
    const [, alarm] = /process_resident_memory_bytes\S* > (\S+)/.exec(
      readDocument('deploy/monitoring/alarms.yml'),
    ) as string[]

    for (const { spec } of deployments) {
      const seconds = spec.template.spec.terminationGracePeriodSeconds
      expect(seconds).toBeGreaterThanOrEqual(
        Number.parseInt(compose['x-service'].stop_grace_period, 10),
      )
    }
    for (const { resources } of allContainers) {
      const [, gibibytes] = /^(\d+)Gi$/.exec(resources.limits.memory) as string[]
      expect(Number(gibibytes) * 2 ** 30).toBeGreaterThan(Number(alarm))
    }
  })

  it('have more than one replica, a disruption budget, and an autoscaler or a fixed number', () => {
    const scaled = new Map(ofKind('HorizontalPodAutoscaler').map((one) => [nameOf(one), one.spec]))
    const budgets = ofKind('PodDisruptionBudget').map(nameOf)

    expect([...scaled.keys()].toSorted()).toEqual(['content', 'gateway', 'scanner'])
    expect(budgets.toSorted()).toEqual([...SERVICES].toSorted())
    for (const deployment of deployments.filter((one) => nameOf(one) !== 'operator')) {
      const autoscaler = scaled.get(nameOf(deployment))
      expect(autoscaler?.scaleTargetRef.name).toBe(autoscaler && nameOf(deployment))
      expect(autoscaler?.minReplicas ?? deployment.spec.replicas).toBeGreaterThan(1)
      expect('replicas' in deployment.spec).toBe(autoscaler === undefined)
    }
  })

  it('of the gateway get the maximum of their autoscaler as REPLICAS', () => {
    const [gateway] = ofKind('HorizontalPodAutoscaler').filter((one) => nameOf(one) === 'gateway')

    expect(environmentOf(serviceContainer('gateway')).REPLICAS).toBe(`${gateway?.spec.maxReplicas}`)
  })

  it('have the labels that services and disruption budgets select by', () => {
    const selectors = manifests().flatMap(({ kind, spec }) => {
      if (kind === 'Service') return [spec.selector]
      return kind === 'PodDisruptionBudget' ? [spec.selector.matchLabels] : []
    })
    const names = selectors.map((selector) => selector['app.kubernetes.io/name']).filter(Boolean)

    expect(names.length).toBeGreaterThan(5)
    expect(names.filter((name) => !deployments.some((one) => nameOf(one) === name))).toEqual([])
    for (const { metadata, spec } of deployments) {
      expect(spec.selector.matchLabels).toEqual({ 'app.kubernetes.io/name': metadata.name })
      expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels)
      // An upgrade applies the manifests in its order by this label.
      expect(metadata.labels).toEqual(spec.selector.matchLabels)
    }
  })
})

interface Rule {
  ports: { port: number }[]
}

/**
 * The ports that the policies let the pods of a Deployment reach (egress), or be reached at
 * (ingress).
 */
function portsOf(deployment: string, way: 'ingress' | 'egress'): number[] {
  const rules = ofKind('NetworkPolicy')
    .filter(({ spec: { podSelector } }) => {
      const [{ values = [] } = {}] = podSelector.matchExpressions ?? []
      const names = [...values, ...Object.values(podSelector.matchLabels ?? {})]
      return names.length === 0 || names.includes(deployment)
    })
    .flatMap(({ spec }) => (spec[way] ?? []) as Rule[])
  const ports = rules.flatMap((rule) => rule.ports.map(({ port }) => port))
  return [...new Set(ports)].toSorted((a, b) => a - b)
}

describe('the network of Kubernetes', () => {
  const NAMES = 53
  const WEBHOOKS = 443

  it.each(deployments.map(nameOf))(
    'lets the %s reach only the ports that its settings name',
    (name) => {
      const all = Object.entries(environmentOf(serviceContainer(name)))
      const named = all.filter(([key]) => /^(NATS|REDIS|DATABASE|MEILI)_URL$/.test(key))
      const ports = named.map(([, url]) => Number(new URL(url).port))
      const webhooks = all.some(([key]) => key === 'WEBHOOK_URLS') ? [WEBHOOKS] : []

      expect(portsOf(name, 'egress')).toEqual(
        [NAMES, ...ports, ...webhooks].toSorted((a, b) => a - b),
      )
    },
  )

  it('denies everything else, and lets each service be reached only at its own ports', () => {
    const [deny] = ofKind('NetworkPolicy').filter((one) => nameOf(one) === 'default-deny')
    expect(deny?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })

    for (const service of SERVICES) {
      const listens = (serviceContainer(service).ports ?? []).map((port) => port.containerPort)
      expect(portsOf(service, 'ingress')).toEqual(listens.toSorted((a, b) => a - b))
    }
  })

  it('has the ports at which services listen', () => {
    const [metrics] = ofKind('Service').filter((one) => nameOf(one) === 'stoa')
    for (const service of SERVICES) {
      const container = serviceContainer(service)
      const env = environmentOf(container)
      expect(env.METRICS_LISTEN).toBe(`0.0.0.0:${portOf(container, 'metrics')}`)
      expect(portOf(container, 'metrics')).toBe(metrics?.spec.ports[0].port)
      expect(env.PORT).toBe(portOf(container, 'http') && `${portOf(container, 'http')}`)
    }
  })
})

describe('the files of Kubernetes', () => {
  const { error } = spawnSync('kubectl', ['version', '--client'])
  const itWithKubectl = error ? it.skip : it

  it('are all listed in kustomization.yaml', () => {
    const kustomization = readDocument(`${BASE}/kustomization.yaml`)
    const unused = baseFiles().filter((file) => !kustomization.includes(` ${file}\n`))

    expect(unused).toEqual(['kustomization.yaml'])
  })

  itWithKubectl('are put together by kustomize as the tests do it', () => {
    const { stdout } = spawnSync('kubectl', ['kustomize', join(ROOT, BASE)], { encoding: 'utf8' })
    const made = stdout.split(/^---$/m).map((text) => parse(text) as Manifest)
    const shared = { 'app.kubernetes.io/part-of': 'stoa' }

    expect(made.length).toBe(manifests().length + configMaps.size)
    for (const { kind, metadata, spec } of manifests().filter((one) => one.spec)) {
      const same = made.find((one) => one.kind === kind && nameOf(one) === metadata.name)
      if (kind === 'Deployment') Object.assign(spec.template.metadata.labels, shared)
      expect(withoutHashes(same?.spec)).toEqual(spec)
    }
  })

  function withoutHashes(spec: unknown): unknown {
    const text = JSON.stringify(spec)
    return JSON.parse(text.replaceAll(/("configMapRef":\{"name":"[a-z-]+?)-[a-z\d]{10}"/g, '$1"'))
  }
})
