import { readConfig } from '@stoa/shared/process/config.js'
import { runService } from '@stoa/shared/process/service.js'
import { SearchConfig } from './config.ts'
import { startSearch } from './start-search.ts'

await runService('search', (log) => startSearch(readConfig(SearchConfig), log))
