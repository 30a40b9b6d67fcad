import { runService } from '@stoa/shared/service.js'
import { startRanking } from './start-ranking.ts'

await runService('ranking', startRanking)
