import { Health, serviceHealth } from '@stoa/shared/contracts/health.js'
import { healthStatus, readHealth } from '../composition/read-health.ts'
import { type Row, row } from './row.ts'

export const healthRoutes: Row[] = [
  row({
    method: 'GET',
    path: '/api/v1/health',
    request: serviceHealth.gateway,
    auth: 'none',
    limit: 'read',
    tag: 'health',
    output: Health,
    run: readHealth,
    statusOf: healthStatus,
    summary: 'Read whether the service and its parts are well',
  }),
]
