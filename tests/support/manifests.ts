import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT, readDocument } from './documents.ts'

export const BASE = 'deploy/kubernetes/base'

export interface Manifest {
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: each kind has another spec.
  spec: any
  automountServiceAccountToken?: boolean
}

interface KeyRef {
  name: string
  key: string
  optional?: boolean
}

export interface Container {
  name: string
  image: string
  envFrom: { configMapRef: { name: string } }[]
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: KeyRef } }[]
  ports?: { name: string; containerPort: number }[]
  livenessProbe?: { exec: { command: string[] } }
  readinessProbe?: { exec?: { command: string[] }; httpGet?: { path: string; port: string } }
  resources: { limits: { memory: string } }
  securityContext: Record<string, unknown>
}

interface Kustomization {
  resources: string[]
  patches: { path: string; target: { kind: string; name?: string } }[]
  configMapGenerator: { name: string; envs?: string[]; literals?: string[] }[]
}

const kustomization = parse(readDocument(`${BASE}/kustomization.yaml`)) as Kustomization

/** The manifests that kustomize makes of the base, without the hashes and labels that it adds. */
export function manifests(): Manifest[] {
  return kustomization.resources
    .flatMap((file) => parseAllDocuments(readDocument(`${BASE}/${file}`)))
    .map((document) => patched(document.toJS() as Manifest))
}

export function ofKind(kind: string): Manifest[] {
  return manifests().filter((manifest) => manifest.kind === kind)
}

/** The containers of a Deployment, its init containers first and the service's own last. */
export function containersOf({ spec }: Manifest): Container[] {
  const { initContainers = [], containers } = spec.template.spec
  return [...initContainers, ...containers]
}

/** The container in which a service runs. */
export function serviceContainer(name: string): Container {
  const deployment = ofKind('Deployment').find(({ metadata }) => metadata.name === name)
  const container = deployment && containersOf(deployment).at(-1)
  if (!container) throw new Error(`no Deployment runs the ${name}`)
  return container
}

/** The settings of each ConfigMap. */
export const configMaps = new Map(
  kustomization.configMapGenerator.map(({ name, envs = [] }) => {
    const lines = envs.flatMap((file) => readDocument(`${BASE}/${file}`).split('\n'))
    const pairs = lines.filter((line) => /^\w/.test(line)).map((line) => line.split(/=(.*)/, 2))
    return [name, Object.fromEntries(pairs) as Record<string, string>]
  }),
)

/** The environment of a container as the cluster makes it, with `secret` for every secret. */
export function environmentOf({ envFrom, env }: Container): Record<string, string> {
  const all: Record<string, string> = {}
  for (const { configMapRef } of envFrom) Object.assign(all, configMaps.get(configMapRef.name))
  for (const { name, value } of env) {
    all[name] =
      value?.replaceAll(/\$\((\w+)\)/g, (_, other: string) => all[other] ?? '') ?? 'secret'
  }
  return all
}

/** Variables whose values other variables contain, as `$(NAME)`. */
export function ingredientsOf({ env }: Container): string[] {
  return env.flatMap(({ value = '' }) =>
    [...value.matchAll(/\$\((\w+)\)/g)].map(([, name]) => `${name}`),
  )
}

export function baseFiles(): string[] {
  return readdirSync(join(ROOT, BASE)).filter((name) => name.endsWith('.yaml'))
}

function patched(manifest: Manifest): Manifest {
  const mine = kustomization.patches.filter(
    ({ target: { kind, name = '.*' } }) =>
      kind === manifest.kind && new RegExp(`^(${name})$`).test(manifest.metadata.name),
  )
  for (const { path } of mine) {
    const patch = parse(readDocument(`${BASE}/${path}`)) as Manifest
    manifest.spec = merged(manifest.spec, patch.spec)
  }
  return manifest
}

type Named = { name: string }

/**
 * Merges like kustomize's strategic merge: lists of named items by name, all other lists as a
 * whole.
 */
function merged(before: unknown, patch: unknown): unknown {
  if (areNamed(before) && areNamed(patch)) {
    const known = before.map((one) =>
      merged(one, patch.find(({ name }) => name === one.name) ?? one),
    )
    return [...patch.filter(({ name }) => !before.some((one) => one.name === name)), ...known]
  }
  if (!isMap(before) || !isMap(patch)) return patch
  const both = { ...before }
  for (const [key, value] of Object.entries(patch)) {
    both[key] = key in before ? merged(before[key], value) : value
  }
  return both
}

function areNamed(value: unknown): value is Named[] {
  return Array.isArray(value) && value.every((one) => isMap(one) && 'name' in one)
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
