import { runService } from '@stoa/shared/service.js'
import { startGateway } from './gateway.ts'

await runService('gateway', (log) => startGateway(log))
