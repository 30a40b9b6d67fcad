import { request } from 'undici'
import type { Json } from './agent.ts'

export interface Received {
  id: string
  event: string
  data: Json
}

export type EventSource = Awaited<ReturnType<typeof listen>>

/** Reads a stream of server-sent events until it is closed. */
export async function listen(
  url: string,
  { key, lastEventId }: { key?: string; lastEventId?: string | undefined } = {},
) {
  const { statusCode, headers, body } = await request(url, {
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
    },
  })
  const received: Received[] = []
  const comments: string[] = []
  const state = { hasEnded: false, lastEventId: '' }
  let text = ''
  body.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s)))
      // By the specification of server-sent events, an id counts without an event, too.
      if (fields.id) state.lastEventId = fields.id
      if (fields['']) comments.push(fields[''])
      if (fields.data) received.push({ ...fields, data: JSON.parse(fields.data) })
    }
  })
  // A server that is killed closes the connection without an `end` event.
  body.on('close', () => {
    state.hasEnded = true
  })
  body.on('error', () => {})
  return { statusCode, headers, received, comments, state, close: () => body.destroy() }
}
