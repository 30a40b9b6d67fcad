import { runService } from '@stoa/shared/service.js'
import { startSearch } from './start-search.ts'

await runService('search', startSearch)
