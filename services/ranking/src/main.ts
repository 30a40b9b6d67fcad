import { readConfig } from '@stoa/shared/process/config.js'
import { runService } from '@stoa/shared/process/service.js'
import { RankingConfig } from './config.ts'
import { startRanking } from './start-ranking.ts'

await runService('ranking', (log) => startRanking(readConfig(RankingConfig), log))
