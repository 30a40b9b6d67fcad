import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Json } from '../agent.ts'

const SECRET = Buffer.alloc(32, 7)

/** Receives the posts of webhooks, and refuses every third call, so that it must be sent again. */
export class WebhookReceiver {
  readonly received: { alert: Json }[] = []
  readonly wrongs: string[] = []
  readonly #server: Server
  #calls = 0

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const body = await text(request)
      if (!isSigned(request, body)) this.wrongs.push(`unsigned: ${body}`)
      const isTaken = this.#calls++ % 3 > 0
      if (isTaken) this.received.push(JSON.parse(body).data)
      response.writeHead(isTaken ? 204 : 503).end()
    })
  }

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver()
    await new Promise<void>((ready) => receiver.#server.listen(0, '127.0.0.1', ready))
    return receiver
  }

  get settings(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo
    return {
      WEBHOOK_URLS: `http://127.0.0.1:${port}/`,
      WEBHOOK_SECRET: `whsec_${SECRET.toString('base64')}`,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_RETRY_MS: '10',
    }
  }

  stop(): void {
    this.#server.close()
  }
}

/** Whether the request is signed as Standard Webhooks specifies. */
function isSigned({ headers }: IncomingMessage, body: string): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signature = createHmac('sha256', SECRET).update(signed).digest('base64')
  return String(headers['webhook-signature']).includes(`v1,${signature}`)
}
