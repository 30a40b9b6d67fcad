import { setFlagsFromString } from 'node:v8'
import { runService } from '@stoa/shared/process/service.js'
import { readGatewayConfig } from './config.ts'
import { startGateway } from './gateway.ts'

/**
 * The heap may grow to twice what was in use, and a little, before it is collected as a whole. V8
 * would say less for one so small, and counts the bytes of answers on their way, which are no part
 * of it: it then goes through the heap twice a second. So it does at 60 %; 300 % would cost 35 MB
 * more and save nothing.
 */
setFlagsFromString('--heap-growing-percent=120')

await runService('gateway', (log) => startGateway(readGatewayConfig(), log))
