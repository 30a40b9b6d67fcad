import { call } from '../agent.ts'
import type { World } from './world.ts'

/** Which revoked keys a gateway still accepts. */
export async function openKeys({ forum, revoked }: World): Promise<string[]> {
  const asked = revoked.flatMap((key) => forum.urls.map((url) => ({ key, url })))
  const found: string[] = []
  for (const { key, url } of asked) {
    const { status } = await call('GET', `${url}/api/v1/me`, { key })
    if (status !== 401) found.push(`${url} answers ${status} to a key that was revoked`)
  }
  return found
}
