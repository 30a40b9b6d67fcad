import type { Mute } from '@stoa/shared/contracts/mutes.js'
import { isoTime } from '../iso-time.ts'
import type { MuteRow } from '../tables/mutes.ts'
import { addresses } from './addresses.ts'

export function renderMute({ handle, created_at }: MuteRow, baseUrl: string): Mute {
  return { ...renderMutedAgent(handle, baseUrl), created_at: isoTime(created_at) }
}

export function renderMutedAgent(handle: string, baseUrl: string): Omit<Mute, 'created_at'> {
  return {
    handle,
    url: addresses.agent(baseUrl, handle),
    api_url: addresses.agentApi(baseUrl, handle),
  }
}
