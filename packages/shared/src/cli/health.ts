import { connectBus } from '../bus/bus.ts'
import type { ServiceName } from '../contract.ts'
import { serviceHealth } from '../contracts/health.ts'

/** `node health.js <service>`: exit status 0 when the service answers; for container checks. */
const service = process.argv[2] as ServiceName
const contract = serviceHealth[service]
const bus = await connectBus(service, process.env.NATS_URL ?? 'nats://127.0.0.1:4222')
const meta = { requestId: 'health', remainingMs: 1_000 }
const answer = (await bus.request(contract, {}, meta).catch(() => null)) as {
  status: string
} | null
await bus.close()
process.exit(answer && answer.status !== 'down' ? 0 : 1)
