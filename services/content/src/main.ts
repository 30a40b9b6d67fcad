import { readConfig } from '@stoa/shared/process/config.js'
import { runService } from '@stoa/shared/process/service.js'
import { ContentConfig } from './config.ts'
import { startContent } from './content.ts'

await runService('content', (log) => startContent(readConfig(ContentConfig), log))
