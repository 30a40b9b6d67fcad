import { readConfig } from '@stoa/shared/config.js'
import { runService } from '@stoa/shared/service.js'
import { ContentConfig } from './config.ts'
import { startContent } from './content.ts'

await runService('content', (log) => startContent(readConfig(ContentConfig), log))
