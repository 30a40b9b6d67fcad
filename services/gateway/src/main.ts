import { setFlagsFromString } from 'node:v8'
import { runService } from '@stoa/shared/service.js'
import { startGateway } from './gateway.ts'

/**
 * The heap may be four times what was in use before it is collected as a whole. V8 would say less
 * for one so small, and counts the bytes of answers on their way, which are no part of it: it then
 * goes through the heap twice a second.
 */
setFlagsFromString('--heap-growing-percent=300')

await runService('gateway', (log) => startGateway(log))
